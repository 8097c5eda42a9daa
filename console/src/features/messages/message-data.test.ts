import { expect, test } from 'bun:test'

import { searchOf } from './message-data'

const at = (text: string) => Date.parse(text) / 1000
const now = at('2026-11-23T12:30:40Z')

test('empty filters search nothing', () => {
  expect(searchOf({}, now)).toBeNull()
  expect(searchOf({ range: 'all' }, now)).toBeNull()
})

test('a keyword alone has no range', () => {
  expect(searchOf({ keyword: 'sale' }, now)).toEqual({ keyword: 'sale' })
})

test.each([
  ['a quick one', { range: 'week' }, '2026-11-16T12:30:00.000Z', '2026-11-24T12:30:00.000Z'],
  ['one without an end', { from: at('2026-11-01T00:00:00Z') }, '2026-11-01T00:00:00.000Z', '2026-11-24T12:30:00.000Z'],
  ['one without a start', { to: at('2026-11-02T23:59:59Z') }, '1970-01-01T00:00:00.000Z', '2026-11-02T23:59:59.000Z'],
  [
    'one with both',
    { from: at('2026-11-01T00:00:00Z'), to: at('2026-11-02T23:59:59Z') },
    '2026-11-01T00:00:00.000Z',
    '2026-11-02T23:59:59.000Z',
  ],
] as const)('a range always has both ends: %s', (_, filters, start, end) => {
  expect(searchOf(filters, now)).toEqual({ keyword: undefined, start_date: start, end_date: end })
})
