import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { restOf, termEnd } from './term'

const at = (text: string) => Date.parse(text) / 1000

describe('a term', () => {
  test.each([
    [{ length: 30, unit: 'day' }, 'UTC', '2026-01-31T10:00:00Z', '2026-03-02T10:00:00Z'],
    [{ length: 1, unit: 'month' }, 'UTC', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
    [{ length: 3, unit: 'month' }, 'UTC', '2026-11-30T00:00:00Z', '2027-02-28T00:00:00Z'],
    [{ length: 1, unit: 'year' }, 'UTC', '2028-02-29T12:00:00Z', '2029-02-28T12:00:00Z'],
    [{ length: 1, unit: 'month' }, 'Europe/Berlin', '2026-03-15T08:00:00Z', '2026-04-15T07:00:00Z'],
  ] as const)('a term of %j in %s from %s ends at %s', (term, zone, from, until) => {
    expect(termEnd(at(from), term, zone)).toBe(at(until))
  })

  test('its rest is rounded down: no one gets back more than was left', () => {
    const term = { price: 10, starts_at: 1000, ends_at: 1003 }
    expect([1000, 1001, 1002, 1003].map((now) => restOf(term, now))).toEqual([10, 6, 3, 0])
  })

  test('its rest falls from its price to nothing, and never rises', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e15 }),
        fc.integer({ min: 1, max: 1e8 }),
        fc.tuple(fc.double({ min: -0.1, max: 1.1, noNaN: true }), fc.double({ min: -0.1, max: 1.1, noNaN: true })),
        (price, length, shares) => {
          const term = { price, starts_at: 1000, ends_at: 1000 + length }
          const [early = 0, late = 0] = shares
            .map((share) => 1000 + Math.round(share * length))
            .toSorted((a, b) => a - b)
          const [first, second] = [restOf(term, early), restOf(term, late)]
          expect(first >= second && second >= 0 && first <= price).toBe(true)
          expect([restOf(term, 1000), restOf(term, 1000 + length)]).toEqual([price, 0])
        },
      ),
    )
  })
})
