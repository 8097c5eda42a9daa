/** Rows of most tables are small; a stored response has megabytes. */
const bytesAtOnce = 8 * 1024 * 1024

interface PageSize<Read> {
  readonly maxRows: number
  /** Returns about how many bytes a row takes. */
  readonly sizeOf: (row: Read) => number
}

/** Yields the pages that `fetchRows` resolves with, one row at first and then as many as fit by the largest of the page before. */
export async function* fetchedPages<Read>(
  fetchRows: (count: number) => readonly Read[] | Promise<readonly Read[]>,
  { maxRows, sizeOf }: PageSize<Read>,
): AsyncGenerator<readonly Read[]> {
  for (let count = 1; ;) {
    const page = await fetchRows(count)
    if (page.length > 0) yield page
    if (page.length < count) return
    const maxRowBytes = page.reduce((max, row) => Math.max(max, sizeOf(row)), 1)
    count = Math.max(1, Math.min(maxRows, Math.floor(bytesAtOnce / maxRowBytes)))
  }
}
