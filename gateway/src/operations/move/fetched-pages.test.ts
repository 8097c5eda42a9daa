import { expect, test } from 'bun:test'

import { fetchedPages } from './fetched-pages'

const small: readonly object[] = Array.from({ length: 1200 }, (_, id) => ({ id, name: 'small' }))
const large: readonly object[] = Array.from({ length: 5 }, (_, id) => ({ id, text: 'A'.repeat(5 * 1024 * 1024) }))

test.each([
  ['small', small, [1, 500, 500, 199]],
  ['large', large, [1, 1, 1, 1, 1]],
  ['no', [], []],
] as const)('pages of %s rows are fetched by the size of the rows before', async (_size, rows, sizes) => {
  let at = 0
  const pages: (readonly object[])[] = []
  const fetchRows = (count: number) => Promise.resolve(rows.slice(at, (at += count)))
  const sizeOf = (row: object) => JSON.stringify(row).length
  for await (const page of fetchedPages(fetchRows, { maxRows: 500, sizeOf })) pages.push(page)
  expect(pages.map(({ length }) => length)).toEqual([...sizes])
  expect(pages.flat()).toEqual([...rows])
})
