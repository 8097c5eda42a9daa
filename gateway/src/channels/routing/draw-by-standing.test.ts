import { describe, expect, test } from 'bun:test'

import { defaultOptions, type RoutingRule } from '@tollgate/contract'
import * as fc from 'fast-check'

import { PriceBook } from '../../billing/pricing/price-book'
import { Prices } from '../../billing/pricing/prices'
import { FakeTime } from '../../../test/fake-time'
import { aCatalog, aChannel, brokenFor, evenRandom, noExclusions, question } from '../../../test/routes'
import { seededNumbers } from '../../../test/strategy-world'
import { modelName } from '../catalog/channel-keys'
import type { Catalog, Channel } from '../catalog/catalog'
import { Health } from '../health/health'
import { outlooksOf } from './outlook'
import { plan, type RouteQuestion } from './plan'
import { priorityLevelsOf } from './priority-levels'
import { sessionOf } from './session'

const sessions = Array.from({ length: 2000 }, (_, index) => sessionOf(1, `conversation ${index}`))
const cheapest: RoutingRule = { model: '*', strategy: 'cheapest' }
const fastest: RoutingRule = { model: '*', strategy: 'fastest' }
const loadRule: RoutingRule = { model: '*', strategy: 'least_busy' }

/** A site with a rule, and what the model costs at each channel. */
function siteOf(rule: RoutingRule, channels: readonly Channel[], costs: readonly number[] = []): Catalog {
  const catalog = aCatalog(channels)
  const options = { ...defaultOptions, RoutingStrategies: [rule] }
  const rows = costs.map((cost, index) => ({
    channel_id: channels[index]?.id ?? 0,
    model: 'm',
    entry: JSON.stringify({ prices: { input: cost, output: cost } }),
  }))
  const prices = new Prices({ options, book: new PriceBook(rows), channels: catalog.channels })
  return { ...catalog, options, prices }
}

const three = [aChannel(1), aChannel(2), aChannel(3)]

/** Returns the share of each channel, by id. */
function sharesOf(catalog: Catalog, fields: Partial<RouteQuestion> = {}, calls = 5000): Map<number, number> {
  const routeQuestion = question({ random: { ...evenRandom(), number: seededNumbers(5) }, ...fields })
  const shares = new Map<number, number>()
  for (let call = 0; call < calls; call += 1) {
    const id = plan(catalog, routeQuestion)?.channel.id ?? 0
    shares.set(id, (shares.get(id) ?? 0) + 1 / calls)
  }
  return shares
}

/** What a channel was measured to need to the first token. */
function measure(health: Health, time: FakeTime, startMs: Readonly<Record<number, number>>): void {
  for (const [id, ms] of Object.entries(startMs))
    for (let response = 0; response < 50; response += 1)
      health.standings.speeds.record(modelName(Number(id), 'm'), { startMs: ms, tokens: 0, tokenMs: 0 })
  time.advance(5_000)
}

describe('plan under a strategy', () => {
  test('the cheapest channel serves, one call in fifty is drawn by weight, and the choice says why', () => {
    const catalog = siteOf(cheapest, three, [3, 1, 2])
    const shares = sharesOf(catalog)
    expect(shares.get(2)).toBeCloseTo(0.98 + 0.02 / 3, 2)
    for (const id of [1, 3]) expect(shares.get(id)).toBeGreaterThan(0.003)
    expect(plan(catalog, question())?.chosenBy).toEqual({ strategy: 'cheapest', basis: 'score', score: 1 })
    expect(plan(aCatalog(three), question())).not.toHaveProperty('chosenBy')
  })

  test('the priority stands above the strategy, and so does health', () => {
    const levels = [aChannel(1, { priority: 5 }), aChannel(2), aChannel(3)]
    const catalog = siteOf(cheapest, levels, [9, 1, 2])
    expect(new Set(sharesOf(catalog).keys())).toEqual(new Set([1]))
    const health = new Health(new FakeTime())
    brokenFor(health, 1)
    expect(sharesOf(catalog, { health }).get(2)).toBeGreaterThan(0.97)
    brokenFor(health, 2)
    expect(new Set(sharesOf(catalog, { health }).keys())).toEqual(new Set([3]))
  })

  test('the next best channel serves where the best cannot, and a retry is never a trial', () => {
    const catalog = siteOf(cheapest, three, [3, 1, 2])
    const excluded = { ...noExclusions, channels: new Set([2]) }
    expect(sharesOf(catalog, { excluded }).get(3)).toBeCloseTo(0.99, 2)
    expect(new Set(sharesOf(catalog, { excluded, isRetry: true }).keys())).toEqual(new Set([3]))
  })

  test('among equally good channels weight decides', () => {
    const channels = [aChannel(1, { weight: 20 }), aChannel(2), aChannel(3)]
    const shares = sharesOf(siteOf(cheapest, channels, [1, 1, 50]))
    expect(shares.get(1)).toBeCloseTo((0.98 * 30) / 40 + (0.02 * 30) / 50, 1)
    expect(shares.get(2)).toBeCloseTo(0.98 / 4, 1)
  })

  test('the fastest channel serves once it is measured, and a new channel is tried as often as the best', () => {
    const time = new FakeTime()
    const health = new Health(time)
    const catalog = siteOf(fastest, three)
    measure(health, time, { 1: 900, 2: 300 })
    const shares = sharesOf(catalog, { health })
    expect([shares.get(2), shares.get(3)]).toEqual([expect.closeTo(0.5, 1), expect.closeTo(0.5, 1)])
    measure(health, time, { 3: 600 })
    expect(sharesOf(catalog, { health }).get(2)).toBeGreaterThan(0.97)
    measure(health, time, { 2: 6000 })
    expect(sharesOf(catalog, { health }).get(3)).toBeGreaterThan(0.9)
  })

  test('the less busy of two channels serves, by calls against the cap', () => {
    const channels = [aChannel(1, { setting: { max_concurrency: 10 } }), aChannel(2), aChannel(3)]
    const health = new Health(new FakeTime())
    for (const [index, calls] of [3, 20, 0].entries())
      for (let call = 0; call < calls; call += 1) health.slots.enterNow(channels[index] ?? aChannel(0))
    const shares = sharesOf(siteOf(loadRule, channels), { health })
    // Three of ten are more than twenty of a hundred.
    expect([shares.get(3), shares.get(2), shares.get(1)]).toEqual([
      expect.closeTo(5 / 9, 1),
      expect.closeTo(3 / 9, 1),
      expect.closeTo(1 / 9, 1),
    ])
    expect(plan(siteOf(loadRule, channels), question({ health, isRetry: true }))?.chosenBy?.basis).toBe('room')
  })

  test('a mix weighs what it is told to', () => {
    const time = new FakeTime()
    const health = new Health(time)
    measure(health, time, { 1: 1000, 2: 500, 3: 800 })
    const best = (cost: number, speed: number) =>
      [...sharesOf(siteOf({ model: '*', strategy: 'mix', cost, speed }, three, [1, 3, 1.2]), { health })].toSorted(
        ([, one], [, other]) => other - one,
      )[0]?.[0]
    expect([best(9, 1), best(1, 9), best(1, 1)]).toEqual([1, 2, 3])
  })
})

describe('a conversation under a strategy', () => {
  const homes = (catalog: Catalog, fields: Partial<RouteQuestion> = {}) =>
    sessions.map((session) => plan(catalog, question({ sessionOf: () => session, ...fields }))?.channel.id)

  test('conversations are spread in the same proportion, and each stays where it is', () => {
    const catalog = siteOf(cheapest, three, [1.05, 1, 3])
    const before = homes(catalog)
    const share = (id: number) => before.filter((home) => home === id).length / before.length
    expect(share(2)).toBeCloseTo(0.98 * 0.8, 1)
    expect(share(1)).toBeCloseTo(0.98 * 0.2, 1)
    expect(homes(catalog)).toEqual(before)
  })

  test('the conversations of a channel that becomes dearer are the only ones that move', () => {
    const before = homes(siteOf(cheapest, three, [1, 1, 1]))
    const after = homes(siteOf(cheapest, three, [1, 1, 1.1]))
    const moved = before.filter((home, index) => home !== after[index])
    expect(new Set(moved)).toEqual(new Set([3]))
    expect(moved.length / before.length).toBeCloseTo((0.98 * 31) / 96, 1)
  })

  test('a channel that becomes faster gets conversations no earlier than at the end of a span', () => {
    const time = new FakeTime(0)
    const health = new Health(time)
    const catalog = siteOf(fastest, three)
    measure(health, time, { 1: 300, 2: 600, 3: 600 })
    time.advance(600_000)
    const before = homes(catalog, { health })
    expect(before.filter((home) => home === 1).length / before.length).toBeGreaterThan(0.95)
    for (let period = 0; period < 20; period += 1) measure(health, time, { 1: 900 })
    expect(sharesOf(catalog, { health }).get(1)).toBeLessThan(0.05)
    expect(homes(catalog, { health })).toEqual(before)
    time.advance(600_000)
    expect(homes(catalog, { health }).filter((home) => home === 1).length / before.length).toBeLessThan(0.05)
  })

  test('a channel without session affinity draws each call anew', () => {
    const without = { setting: { no_session_affinity: true } } as const
    const catalog = siteOf(loadRule, [aChannel(1, without), aChannel(2, without)])
    const session = sessions[0] ?? 0
    expect(new Set(sharesOf(catalog, { sessionOf: () => session }, 40).keys())).toEqual(new Set([1, 2]))
  })
})

describe('the outlook under a strategy', () => {
  const shapes = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 30 }),
      weight: fc.integer({ min: 0, max: 60 }),
      cost: fc.integer({ min: 95, max: 110 }),
      startMs: fc.integer({ min: 950, max: 1100 }),
      calls: fc.integer({ min: 0, max: 5 }),
      isBroken: fc.boolean(),
    }),
    { selector: ({ id }) => id, minLength: 2, maxLength: 6 },
  )
  const rules = fc.constantFrom<RoutingRule>(cheapest, fastest, loadRule, {
    model: '*',
    strategy: 'mix',
    cost: 2,
    speed: 1,
    load: 1,
  })

  test('the outlook gives every channel the share with which plan draws it', () => {
    fc.assert(
      fc.property(shapes, rules, (found, rule) => {
        const time = new FakeTime()
        const health = new Health(time)
        const channels = found.map(({ id, weight }) => aChannel(id, { weight, setting: { max_concurrency: 10 } }))
        for (const [index, channel] of channels.entries())
          for (let call = 0; call < (found[index]?.calls ?? 0); call += 1) health.slots.enterNow(channel)
        for (const { id, isBroken } of found) if (isBroken) brokenFor(health, id)
        measure(health, time, Object.fromEntries(found.map(({ id, startMs }) => [id, startMs])))
        const costs = found.map(({ cost }) => cost)
        const catalog = siteOf(rule, channels, costs)
        const served = sharesOf(catalog, { health }, 1500)
        const levels = priorityLevelsOf(catalog, 'default', 'm')
        const standingOf = (level: (typeof levels)[number]) => health.standings.of(catalog, 'default', 'm', level)
        const outlooks = outlooksOf(levels, health, () => true, standingOf).flat()
        expect(outlooks.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6)
        for (const { candidate, share } of outlooks)
          expect(Math.abs((served.get(candidate.channel.id) ?? 0) - share)).toBeLessThan(0.06)
      }),
      { numRuns: 40, seed: 11 },
    )
  })
})
