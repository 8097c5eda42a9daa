import { describe, expect, test } from 'bun:test'

import { assessChange } from './findings'
import type { FieldChange } from './price-diff'
import { isDue, isRunning, nextRun, type SyncTimes } from './sync-times'

const rules = { maxRise: 10, appliesFalls: true }
const change = (some: Partial<FieldChange>): FieldChange => ({
  field: 'input',
  before: 10,
  after: 10,
  refusal: null,
  ...some,
})

describe('a changed price', () => {
  test.each<[string, Partial<FieldChange>, boolean, object]>([
    ['a rise up to the limit is applied', { after: 11 }, false, { state: 'applied', reason: 'rise', percent: 10 }],
    ['a rise above the limit waits', { after: 11.0001 }, false, { state: 'waiting', reason: 'rise', percent: 10.001 }],
    ['a fall is applied', { after: 9 }, false, { state: 'applied', reason: 'fall', percent: -10 }],
    ['a fall just above a tenth is applied', { after: 1.001 }, false, { state: 'applied', percent: -89.99 }],
    ['a fall to a tenth waits', { after: 1 }, false, { state: 'waiting', reason: 'fall', percent: -90 }],
    ['a price set by hand waits, rising', { after: 10.1 }, true, { state: 'waiting', reason: 'own', percent: 1 }],
    ['a price set by hand waits, falling', { after: 9.9 }, true, { state: 'waiting', reason: 'own', percent: -1 }],
    ['a first price waits', { before: null, after: 5 }, false, { state: 'waiting', reason: 'new', percent: null }],
    ['a price for what was free waits', { before: 0, after: 5 }, false, { state: 'waiting', reason: 'new' }],
    [
      'a change of hours waits',
      { field: 'schedules', before: 'a', after: [] },
      false,
      { state: 'waiting', reason: 'structure', percent: null },
    ],
    [
      'a change that cannot be proposed is refused, also of a price set by hand',
      { after: 0, refusal: 'zero' },
      true,
      { state: 'refused', reason: 'zero', percent: -100 },
    ],
  ])('%s', (_name, some, isOwn, verdict) => expect(assessChange(change(some), isOwn, rules)).toMatchObject(verdict))

  test('falls wait where the operator wants to see them', () => {
    expect(assessChange(change({ after: 9 }), false, { ...rules, appliesFalls: false })).toMatchObject({
      state: 'waiting',
    })
  })

  test('every rise waits where none is allowed', () => {
    expect(assessChange(change({ after: 10.001 }), false, { ...rules, maxRise: 0 })).toMatchObject({ state: 'waiting' })
  })
})

describe('the readings of sources', () => {
  const day = 86_400
  const times = (some: Partial<SyncTimes> = {}): SyncTimes => ({ requested: 0, started: 1000, finished: 1100, ...some })

  test('sources are read next a day or a week after the last reading began, or never', () => {
    expect(nextRun(times(), 'daily')).toBe(1000 + day)
    expect(nextRun(times(), 'weekly')).toBe(1000 + 7 * day)
    expect(nextRun(times(), 'off')).toBeNull()
  })

  test('a reading is due at its time, and when it was requested since the last one', () => {
    expect([day + 999, day + 1000].map((now) => isDue(times(), 'daily', now))).toEqual([false, true])
    expect(isDue(times(), 'off', 9 * day)).toBe(false)
    expect(isDue(times({ requested: 1001 }), 'off', 1001)).toBe(true)
    expect(isDue(times({ requested: 1000 }), 'off', 1001)).toBe(false)
  })

  test('a reading runs from its request to its end, and for ten minutes where it has none', () => {
    expect(isRunning(times(), 1200)).toBe(false)
    expect(isRunning(times({ requested: 1001 }), 9 * day)).toBe(true)
    const crashed = times({ finished: 900 })
    expect([1000, 1599, 1600].map((now) => isRunning(crashed, now))).toEqual([true, true, false])
  })
})
