import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { aChannel } from '../../../test/routes'
import type { Strategy } from './rule-of'
import type { Speed } from './speeds'
import { costMerits, scoreOf, speedMerits, weighingOf } from './standing'

const speed = (startMs: number | null, tokenMs: number | null = 0, responses = 100): Speed => ({
  responses,
  startMs,
  tokenMs,
})
const bySpeed = (speeds: readonly (Speed | null)[]) => [...speedMerits(speeds)]

const strategies = {
  cheapest: { name: 'cheapest', cost: 1, speed: 0, load: 0 },
  fastest: { name: 'fastest', cost: 0, speed: 1, load: 0 },
  least_busy: { name: 'least_busy', cost: 0, speed: 0, load: 1 },
  mix: { name: 'mix', cost: 0.5, speed: 0.25, load: 0.25 },
} as const satisfies Record<string, Strategy>

const levelOf = (weights: readonly number[]) => ({
  priority: 0,
  candidates: weights.map((weight, index) => ({ channel: aChannel(index + 1, { weight }), weight, model: 'm' })),
})

describe('the merit of cost', () => {
  test.each([
    ['the cheapest has 1, others their relation to it', [2, 1, 4], [0.5, 1, 0.25]],
    ['an unknown cost counts as the highest', [2, null, 4], [1, 0.5, 0.5]],
    ['where none is known all are alike', [null, null], [1, 1]],
    ['what is free counts as a hundred times cheaper than what costs least', [0, 5, 10], [1, 0.01, 0.005]],
    ['free channels are alike', [0, 0], [1, 1]],
  ])('%s', (_, costs, merits) => {
    for (const [index, merit] of costMerits(costs).entries()) expect(merit).toBeCloseTo(merits[index] ?? NaN, 10)
  })
})

describe('the merit of speed', () => {
  test('a channel is compared by the time of an answer of 300 tokens', () => {
    expect(bySpeed([speed(1000, 10), speed(500, 25), speed(1000, 25)])).toEqual([1, 0.5, 4000 / 8500])
  })

  test('what was not measured counts as the best, so that a new channel is tried', () => {
    expect(bySpeed([speed(1000, 10), null, speed(2000, 20)])).toEqual([1, 1, 0.5])
    expect(bySpeed([speed(1000, 10), speed(null, 10)])).toEqual([1, 1])
    expect(bySpeed([null, null])).toEqual([1, 1])
  })

  test('few answers count in part', () => {
    expect(bySpeed([speed(1000), speed(2000, 0, 1)])[1]).toBeCloseTo(1000 / 1200, 10)
  })
})

describe('a score', () => {
  test('its parts count as the strategy says', () => {
    const merits = { cost: Float64Array.of(0.5), speed: Float64Array.of(0.25) }
    const score = (strategy: Strategy) => scoreOf(merits, 0, 0.1, strategy)
    expect([score(strategies.cheapest), score(strategies.fastest), score(strategies.least_busy)]).toEqual([
      0.5, 0.25, 0.1,
    ])
    expect(score(strategies.mix)).toBeCloseTo(0.5 ** 0.5 * 0.25 ** 0.25 * 0.1 ** 0.25, 10)
  })
})

describe('the weights of a strategy', () => {
  const figures = fc.array(
    fc.record({
      weight: fc.integer({ min: 0, max: 1000 }),
      cost: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
      speed: fc.option(
        fc.record({
          responses: fc.integer({ min: 1, max: 1000 }),
          startMs: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
          tokenMs: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
        }),
      ),
    }),
    { minLength: 1, maxLength: 12 },
  )

  test('every candidate has a weight above 0, the best its own, and none with a lower score a higher factor', () => {
    fc.assert(
      fc.property(figures, fc.constantFrom(...Object.values(strategies)), (found, strategy) => {
        const merits = {
          cost: costMerits(found.map(({ cost }) => cost)),
          speed: speedMerits(found.map((one) => one.speed)),
        }
        const { factors, weights, sums } = weighingOf(levelOf(found.map(({ weight }) => weight)), merits, strategy)
        const scores = found.map((_, index) => scoreOf(merits, index, 1, strategy))
        expect(Math.max(...factors)).toBe(1)
        for (const [index, factor] of factors.entries()) {
          expect(factor).toBeGreaterThan(0)
          expect(weights[index]).toBe(((found[index]?.weight ?? 0) + 10) * factor)
          expect(sums[index]).toBeGreaterThanOrEqual(sums[index - 1] ?? 0)
          for (const [other, score] of scores.entries())
            if (score > (scores[index] ?? 0)) expect(factors[other]).toBeGreaterThanOrEqual(factor)
        }
      }),
    )
  })

  test('the least busy are drawn by their own weights: room decides between two draws', () => {
    const merits = { cost: costMerits([1, 9]), speed: speedMerits([null, null]) }
    expect([...weighingOf(levelOf([0, 30]), merits, strategies.least_busy).weights]).toEqual([10, 40])
  })
})
