/** A cell of a table: numbers stay bare, strings are quoted where they must be. */
export type Cell = string | number | boolean

/** Spreadsheets read UTF-8 when this comes first. */
export const byteOrderMark = '\ufeff'

/** RFC 4180, with the line's end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** What a spreadsheet takes for the beginning of a formula, full width included, or skips before one. */
const formulaBegins = /^[=+\-@＝＋－＠\t\r\n]/

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell)
  const harmless = formulaBegins.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
