import { expect, test } from 'bun:test'

import { withNamed } from '../../../lib/api/named-list'
import { filtersOf, isSameView, renamedView, type SavedView } from './saved-views'

test('a view contains the filters of an address, not its page or its open row', () => {
  expect(filtersOf({ type: 6, page: 3, size: 50, open: 9, not: { model: ['a'] } })).toEqual({
    type: 6,
    not: { model: ['a'] },
  })
})

test('an address matches a view whatever the order of its filters', () => {
  expect(isSameView({ page: 2, slow: 3, type: 6 }, { type: 6, slow: 3 })).toBe(true)
  expect(isSameView({ type: 6 }, { type: 6, slow: 3 })).toBe(false)
})

test('a view replaces one of the same name, also when it is renamed', () => {
  const views: readonly SavedView[] = withNamed(withNamed<SavedView>([], { name: 'b', search: { type: 6 } }), {
    name: 'a',
    search: { slow: 1 },
  })
  expect(views.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(withNamed(views, { name: 'b', search: { slow: 9 } })[1]?.search).toEqual({ slow: 9 })
  expect(renamedView(views, 'a', 'b')).toEqual([{ name: 'b', search: { slow: 1 } }])
})
