import { expect, test } from 'bun:test'
import * as z from 'zod'

import { exactText } from './page-search'
import { parseSearch, stringifySearch } from './search-params'

test.each(['12e4', '12345678901234567890', '0042', '1e999', 'true', 'null', 'a"b', '{"a":1}', '1234'])(
  'the text %p of a link is read exactly, and again after the console wrote it',
  (text) => {
    const Search = z.object({ code: exactText })
    const read = (search: string) => Search.parse(parseSearch(search)).code
    const encoded = `?${new URLSearchParams({ code: text }).toString()}`
    expect(read(encoded)).toBe(text)
    expect(read(stringifySearch(parseSearch(encoded)))).toBe(text)
  },
)

test('values written by the console keep their type', () => {
  const search = { page: 2, isOpen: true, names: ['a', 'b'], text: '7' }
  expect(parseSearch(stringifySearch(search))).toEqual(search)
})
