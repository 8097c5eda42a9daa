import { expect, test } from 'bun:test'

import { fetchedPages, pagesOfRows, type Row } from './copy-database'

const small: readonly Row[] = Array.from({ length: 1200 }, (_, id) => ({ id, name: 'small' }))
const large: readonly Row[] = Array.from({ length: 5 }, (_, id) => ({ id, text: 'A'.repeat(5 * 1024 * 1024) }))

test('five hundred small rows are one page, and as many large ones as have eight megabytes', () => {
  expect([...pagesOfRows(small)].map(({ length }) => length)).toEqual([500, 500, 200])
  expect([...pagesOfRows(large)].map(({ length }) => length)).toEqual([2, 2, 1])
  expect([...pagesOfRows(large)].flat()).toEqual([...large])
  expect([...pagesOfRows([])]).toEqual([])
})

test.each([
  ['small', small, [1, 500, 500, 199]],
  ['large', large, [1, 1, 1, 1, 1]],
  ['no', [], []],
] as const)('pages of %s rows are fetched by the size of the rows before', async (_size, rows, sizes) => {
  let at = 0
  const pages: (readonly Row[])[] = []
  for await (const page of fetchedPages((count) => Promise.resolve(rows.slice(at, (at += count))))) pages.push(page)
  expect(pages.map(({ length }) => length)).toEqual([...sizes])
  expect(pages.flat()).toEqual([...rows])
})
