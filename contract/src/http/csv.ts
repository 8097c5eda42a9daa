/** Comma-separated values as in RFC 4180. https://www.rfc-editor.org/rfc/rfc4180 */

export type CsvCell = string | number | boolean | null

/** Spreadsheets read UTF-8 when this comes first. */
export const byteOrderMark = '\uFEFF'

/** Returns one row with its line end. Strings that a spreadsheet would run as a formula get an apostrophe, which `readCsv` removes. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** What begins a formula, full-width signs included, or is skipped before one; behind apostrophes too, so that those of the value stay. */
const formulaStart = /^'*(?:[\t\r\n]|[\0\v\f \u00a0\u200b\ufeff]*[=+\-@＝＋－＠])/
/** An amount that was taken back: a spreadsheet is to add it up. */
const negativeNumber = /^-\d+(?:\.\d+)?$/
const needsQuotes = /[",\r\n]|^\s|\s$/

function csvCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = formulaStart.test(cell) && !negativeNumber.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A row of a file, with the line it begins on, from 1. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * Returns the rows that have a non-empty cell. A quoted cell may contain commas, line ends and doubled quotes; one that is never closed
 * continues to the end of the text. Other cells are trimmed.
 */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  const content = text.startsWith(byteOrderMark) ? text.slice(1) : text
  const cell = /("(?:[^"]|"")*(?:"|$)|[^,\r\n]*)(,|\r?\n|$)/gy
  let line = 1
  let cells: string[] = []
  let firstLine = line
  while (cell.lastIndex <= content.length) {
    const match = cell.exec(content)
    if (!match) break
    const [whole, raw = '', end] = match
    cells.push(valueOf(raw))
    line += whole.split('\n').length - 1
    if (end === ',') continue
    if (cells.some((one) => one !== '')) rows.push({ line: firstLine, cells })
    cells = []
    firstLine = line
    if (end === '') break
  }
  return rows
}

function valueOf(raw: string): string {
  const text = raw.startsWith('"') ? raw.replace(/^"|"$/g, '').replaceAll('""', '"') : raw.trim()
  return text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text
}
