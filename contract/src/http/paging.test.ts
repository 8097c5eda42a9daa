import { describe, expect, test } from 'bun:test'

import { maxResults, pageIn, pageOf, PageQuery, searchPageOf } from './paging'

const read = (query: Readonly<Record<string, string>>) => PageQuery.parse(query)

describe('a page', () => {
  test.each([
    [{}, 1, 10, 0],
    [{ p: '1' }, 1, 10, 0],
    [{ p: '0' }, 1, 10, 0],
    [{ p: '-3' }, 1, 10, 0],
    [{ p: '3', page_size: '20' }, 3, 20, 40],
    [{ p: '', page_size: '' }, 1, 10, 0],
    [{ page_size: '0' }, 1, 10, 0],
    [{ page_size: '-5' }, 1, 1, 0],
    [{ page_size: '101' }, 1, 100, 0],
    [{ size: '7' }, 1, 7, 0],
    [{ size: '7', page_size: '8' }, 1, 8, 0],
    [{ p: '9999999999999999' }, 1_000_000_000, 10, 9_999_999_990],
  ])('the query %j is page %d of %d from %d on', (query, page, size, offset) => {
    expect(pageOf(read(query))).toEqual({ page, size, offset })
  })

  test.each([
    [{}, 0, 0],
    [{ p: '0' }, 0, 0],
    [{ p: '1' }, 1, 10],
    [{ p: '-1' }, 0, 0],
  ])('the query %j is page %d from %d on where pages count from 0', (query, page, offset) => {
    expect(pageOf(read(query), 0)).toEqual({ page, size: 10, offset })
  })

  test('a number that is not whole is refused', () => {
    for (const p of ['1.5', 'x', '1e3', '99999999999999999']) expect(PageQuery.safeParse({ p }).success).toBe(false)
  })
})

describe('a search', () => {
  test('a search without a page reads all that it may find', () => {
    expect(searchPageOf(read({ page_size: '5' }))).toEqual({ page: 1, size: maxResults, offset: 0 })
    expect(searchPageOf(read({ p: '2', page_size: '5' }))).toEqual({ page: 2, size: 5, offset: 5 })
    expect(searchPageOf(read({ p: '2', page_size: '5' }), 0)).toEqual({ page: 2, size: 5, offset: 10 })
  })

  test('its result is a page in either form', () => {
    const page = { items: ['a'], page: 2, page_size: 1, total: 3 }
    expect(pageIn(page)).toBe(page)
    expect(pageIn(['a', 'b'])).toEqual({ items: ['a', 'b'], page: 0, page_size: 2, total: 2 })
  })
})
