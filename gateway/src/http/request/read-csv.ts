/** A row of a file, with the line it begins on, from 1. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * Returns the non-empty rows of comma-separated values (RFC 4180). A quoted cell may hold commas, line ends and doubled quotes; one that
 * is never closed goes on to the end.
 */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  const content = text.replace(/^\ufeff/, '')
  const cell = /("(?:[^"]|"")*(?:"|$)|[^,\r\n]*)(,|\r?\n|$)/gy
  let line = 1
  let cells: string[] = []
  let begun = line
  while (cell.lastIndex <= content.length) {
    const found = cell.exec(content)
    if (!found) break
    const [whole, raw = '', end] = found
    cells.push(unquoted(raw))
    line += whole.split('\n').length - 1
    if (end === ',') continue
    if (cells.some((one) => one !== '')) rows.push({ line: begun, cells })
    cells = []
    begun = line
    if (end === '') break
  }
  return rows
}

/** A spreadsheet's guard against formulas, an apostrophe, is not part of the value. */
function unquoted(raw: string): string {
  const text = raw.startsWith('"') ? raw.replace(/^"|"$/g, '').replaceAll('""', '"') : raw.trim()
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text
}
