const defaultRows = 500
/** Rows of most tables are small; a stored response has megabytes. */
const bytesAtOnce = 8 * 1024 * 1024

/** Yields the pages that `fetchRows` resolves with, one row at first and then as many as fit by the largest of the page before. */
export async function* fetchedPages<Read extends object>(
  fetchRows: (count: number) => readonly Read[] | Promise<readonly Read[]>,
  maxRows = defaultRows,
): AsyncGenerator<readonly Read[]> {
  for (let count = 1; ;) {
    const page = await fetchRows(count)
    if (page.length > 0) yield page
    if (page.length < count) return
    const maxRowBytes = Math.max(1, ...page.map(bytesOf))
    count = Math.max(1, Math.min(maxRows, Math.floor(bytesAtOnce / maxRowBytes)))
  }
}

/** Returns about how many bytes a row takes. */
export const bytesOf = (row: object): number =>
  Object.values(row).reduce<number>(
    (sum, value: unknown) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  )
