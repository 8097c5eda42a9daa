import { expect, test } from 'bun:test'

import { rangeOf, type RangeInAddress } from './range-of'

const now = 1_700_000_059
const minute = 1_700_000_040
const day = 86_400

test.each<[RangeInAddress, number | undefined, number | undefined]>([
  [{}, undefined, undefined],
  [{ range: 'all' }, undefined, undefined],
  [{ range: 'day' }, minute - day, undefined],
  [{ range: 'week' }, minute - 7 * day, undefined],
  [{ range: 'month' }, minute - 30 * day, undefined],
  [{ from: 1_600_000_007 }, 1_600_000_007, undefined],
  [{ to: 1_600_000_008 }, undefined, 1_600_000_008],
  [{ range: 'day', from: 1_600_000_007, to: 1_600_000_008 }, 1_600_000_007, 1_600_000_008],
])('the address %j asks for the times %p until %p', (address, start, end) => {
  expect(rangeOf(address, now)).toEqual({ start_timestamp: start, end_timestamp: end })
})
