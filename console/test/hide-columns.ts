/** The table has none of these columns from now on in this test, as when its reader hid them. */
export function hideColumns(table: string, columns: readonly string[]): void {
  const shown = Object.fromEntries(columns.map((id) => [id, false]))
  localStorage.setItem(`${table}-table-columns`, JSON.stringify({ order: [], shown }))
}
