/** What a page has above and below the rows of its list, and the height of a row. */
const around = 260
const rowHeight = 44

/** Returns the page size for a window of this height, where the reader has not chosen one: what fills it. */
export const pageSizeFor = (height: number): 20 | 50 => (height - around > 20 * rowHeight ? 50 : 20)
