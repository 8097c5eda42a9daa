/** Comma separated values as RFC 4180 has them. https://www.rfc-editor.org/rfc/rfc4180 */

/** The rows of a text; a quoted cell may hold commas, line ends and doubled quotes. */
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
    // Nothing more, or a quote that is never closed: what follows cannot be told apart.
    if (whole === '' || (end !== ',' && cell.lastIndex >= text.length)) return rows
  }
}

/** A spreadsheet must not run what an operator typed as a name. */
const looksLikeFormula = /^[=+\-@\t\r]/

const cellOf = (value: string | number): string => {
  const text = typeof value === 'string' && looksLikeFormula.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
