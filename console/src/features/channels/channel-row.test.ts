import { expect, test } from 'bun:test'

import { cappedUsage, common, responseColor, rolledUp, statusReason, type Channel } from './channel-row'

const channel = (id: number, tag: string | null, priority = 0) => ({ id, tag, priority, weight: 0 }) as Channel

test('channels of a tag are one row at the place of the first', () => {
  const rows = rolledUp([channel(1, null), channel(2, 'eu'), channel(3, 'us'), channel(4, 'eu')], new Set(['eu']))
  expect(
    rows.map((row) => (row.kind === 'tag' ? row.tag : `${row.channel.id}${row.isChild ? ' within' : ''}`)),
  ).toEqual(['1', 'eu', '2 within', '4 within', 'us'])
})

test('a tag shows what all its channels share', () => {
  expect(common([channel(1, 'a', 5), channel(2, 'a', 5)], 'priority')).toBe(5)
  expect(common([channel(1, 'a', 5), channel(2, 'a', 6)], 'priority')).toBeUndefined()
})

test.each([
  [0, 'gray'],
  [1_000, 'green'],
  [1_001, 'lime'],
  [3_001, 'yellow'],
  [5_001, 'red'],
] as const)('a response time of %p ms is %s', (milliseconds, color) => {
  expect(responseColor(milliseconds)).toBe(color)
})

test.each([
  ['{"status_reason":"no credit","status_time":7}', { reason: 'no credit', time: 7 }],
  ['{"status_reason":"no credit","status_time":"soon"}', { reason: 'no credit', time: 0 }],
  ['{"status_reason":"","status_time":7}', undefined],
  ['{}', undefined],
  ['[]', undefined],
  ['', undefined],
  ['{"status_reason', undefined],
])('the reason in %p is read', (otherInfo, reason) => {
  expect(statusReason(otherInfo)).toEqual(reason)
})

test.each([
  ['{"capped_count":3,"capped_at":7}', { count: 3, time: 7 }],
  ['{"status_reason":"no credit"}', undefined],
  ['{"capped_count":"many"}', undefined],
  ['', undefined],
])('capped usage is read from %p', (otherInfo, capped) => {
  expect(cappedUsage(otherInfo)).toEqual(capped)
})
