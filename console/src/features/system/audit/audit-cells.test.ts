import { expect, test } from 'bun:test'

import { filterOf } from './audit-data'
import { changesOf } from './audit-cells'

test('a change has a line for each member on either side', () => {
  expect(changesOf({ before: { status: 1, name: 'a' }, after: { status: 2, models: ['x'] } })).toEqual([
    { name: 'status', before: '1', after: '2' },
    { name: 'name', before: 'a', after: undefined },
    { name: 'models', before: undefined, after: '["x"]' },
  ])
  expect(changesOf({ before: null, after: null })).toEqual([])
  expect(
    changesOf({ before: null, after: { tag: '', note: null, keys: {}, name: 'a' } }).map(({ name }) => name),
  ).toEqual(['name'])
  expect(changesOf({ before: { tag: 'x' }, after: { tag: null } })).toEqual([
    { name: 'tag', before: 'x', after: 'null' },
  ])
})

test('a range that ends now begins at a whole minute, and a custom one at its start', () => {
  expect(filterOf({ range: 'day' }, 1_700_000_059)).toMatchObject({ start_timestamp: 1_700_000_040 - 86_400 })
  expect(filterOf({ range: 'day' }, 1_700_000_030).start_timestamp).toBe(
    filterOf({ range: 'day' }, 1_700_000_000).start_timestamp,
  )
  expect(filterOf({ from: 5, to: 9 }, 1_700_000_000)).toMatchObject({ start_timestamp: 5, end_timestamp: 9 })
  expect(filterOf({}, 1_700_000_000).start_timestamp).toBeUndefined()
})
