/** Comma-separated values as in RFC 4180. https://www.rfc-editor.org/rfc/rfc4180 */

/** Returns the rows of a text; a quoted cell may contain commas, line breaks and doubled quotes. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/gy
  for (;;) {
    const [whole = '', raw = '', end = ''] = cell.exec(text) ?? []
    row.push(/^".*"$/s.test(raw) ? raw.slice(1, -1).replaceAll('""', '"') : raw.trim())
    if (end !== ',') {
      if (row.some((one) => one !== '')) rows.push(row)
      row = []
    }
    // End of the text, or an unclosed quote: what follows is ambiguous.
    if (whole === '' || (end !== ',' && cell.lastIndex >= text.length)) return rows
  }
}

/** A spreadsheet must not execute a name that an operator typed. */
const looksLikeFormula = /^[=+\-@\t\r]/

const cellOf = (value: string | number): string => {
  const text = typeof value === 'string' && looksLikeFormula.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
