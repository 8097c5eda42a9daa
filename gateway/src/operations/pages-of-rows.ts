export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

const rowsAtOnce = 500
/** Rows of most tables are small; a kept answer has megabytes. */
const bytesAtOnce = 8 * 1024 * 1024

/** Yields rows in pages that can be held in memory. */
export function* pagesOfRows(rows: Iterable<Row>): Generator<readonly Row[]> {
  let page: Row[] = []
  let bytes = 0
  for (const row of rows) {
    page.push(row)
    bytes += bytesOf(row)
    if (page.length < rowsAtOnce && bytes < bytesAtOnce) continue
    yield page
    page = []
    bytes = 0
  }
  if (page.length > 0) yield page
}

/** Yields the pages that `fetchRows` resolves with, one row at first and then as many as fit by the largest of the page before. */
export async function* fetchedPages(
  fetchRows: (count: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let count = 1; ;) {
    const page = await fetchRows(count)
    if (page.length > 0) yield page
    if (page.length < count) return
    const largest = Math.max(1, ...page.map(bytesOf))
    count = Math.max(1, Math.min(rowsAtOnce, Math.floor(bytesAtOnce / largest)))
  }
}

/** Returns about how many bytes a row takes. */
const bytesOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'number' ? 8 : (value?.length ?? 0)), 0)
