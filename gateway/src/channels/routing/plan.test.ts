import { afterAll, describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import {
  aCatalog,
  aChannel,
  attemptAt,
  brokenFor,
  evenRandom,
  failure,
  key,
  noExclusions,
  openai,
  question,
} from '../../../test/routes'
import { FakeTime } from '../../../test/fake-time'
import type { Channel } from '../catalog/catalog'
import { Health } from '../health/health'
import { keyName } from '../catalog/channel-keys'
import { plan } from './plan'

describe('plan', () => {
  test('unknown groups and models have no route', () => {
    const catalog = aCatalog([aChannel(1)])
    expect(plan(catalog, question({ group: 'vip' }))).toBeNull()
    expect(plan(catalog, question({ model: 'other' }))).toBeNull()
  })

  test('the highest priority level serves until all of it is excluded', () => {
    const catalog = aCatalog([aChannel(1, { priority: 5 }), aChannel(2, { priority: 5 }), aChannel(3)])
    const excluded = { channels: new Set<number>(), keys: new Set<string>() }
    const served: (number | undefined)[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const choice = plan(catalog, question({ excluded }))
      served.push(choice?.channel.id)
      if (choice) excluded.channels.add(choice.channel.id)
    }
    expect(new Set(served.slice(0, 2))).toEqual(new Set([1, 2]))
    expect(served.slice(2)).toEqual([3, undefined])
  })

  test('the share of a channel is its weight plus ten', () => {
    const weights = [0, 5, 30, 100]
    const catalog = aCatalog(weights.map((weight, index) => aChannel(index + 1, { weight })))
    const picks = new Map<number, number>()
    const routeQuery = question()
    const draws = 20_000
    for (let draw = 0; draw < draws; draw += 1) {
      const id = plan(catalog, routeQuery)?.channel.id ?? 0
      picks.set(id, (picks.get(id) ?? 0) + 1)
    }
    const total = weights.reduce((sum, weight) => sum + weight + 10, 0)
    for (const [index, weight] of weights.entries()) {
      expect((picks.get(index + 1) ?? 0) / draws).toBeCloseTo((weight + 10) / total, 2)
    }
  })

  test('shares keep their proportion when the heaviest channel is excluded', () => {
    const catalog = aCatalog([aChannel(1, { weight: 10_000 }), aChannel(2, { weight: 0 }), aChannel(3, { weight: 20 })])
    const routeQuery = question({ excluded: { ...noExclusions, channels: new Set([1]) } })
    let light = 0
    for (let draw = 0; draw < 8000; draw += 1) if (plan(catalog, routeQuery)?.channel.id === 2) light += 1
    expect(light / 8000).toBeCloseTo(10 / 40, 1)
  })

  test('every enabled channel is reached, every exclusion is respected, and the plan ends', () => {
    const channels = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 50 }),
        priority: fc.integer({ min: -2, max: 2 }),
        weight: fc.integer({ min: 0, max: 1000 }),
        isEnabled: fc.boolean(),
      }),
      { selector: ({ id }) => id, maxLength: 12 },
    )
    fc.assert(
      fc.property(channels, fc.integer({ min: 0, max: 1_000_000 }), (shapes, seed) => {
        const catalog = aCatalog(shapes.map((shape) => aChannel(shape.id, shape)))
        const excluded = { channels: new Set<number>(), keys: new Set<string>() }
        let state = seed
        const random = {
          ...evenRandom(),
          number: () => (state = (state * 48_271 + 11) % 2_147_483_647) / 2_147_483_647,
        }
        const routeQuery = question({ excluded, random })
        for (;;) {
          const choice = plan(catalog, routeQuery)
          if (!choice) break
          expect(excluded.channels.has(choice.channel.id)).toBe(false)
          excluded.channels.add(choice.channel.id)
        }
        expect(excluded.channels).toEqual(new Set(shapes.filter(({ isEnabled }) => isEnabled).map(({ id }) => id)))
      }),
    )
  })

  test('a channel with a lower ceiling than the prompt is skipped', () => {
    const catalog = aCatalog([aChannel(1, { priority: 1, maxInputTokens: 100 }), aChannel(2)])
    expect(plan(catalog, question({ promptTokens: 100 }))?.channel.id).toBe(1)
    expect(plan(catalog, question({ promptTokens: 101 }))?.channel.id).toBe(2)
  })

  test('channels whose breaker is open come last, across all priority levels', () => {
    const catalog = aCatalog([aChannel(1, { priority: 9 }), aChannel(2)])
    const health = new Health(new FakeTime())
    brokenFor(health, 1)
    expect(plan(catalog, question({ health }))?.channel.id).toBe(2)
    brokenFor(health, 2)
    expect(plan(catalog, question({ health }))?.channel.id).toBe(1)
  })

  test('the keys of a channel take turns; disabled and failed ones are skipped', () => {
    const catalog = aCatalog([aChannel(1, { keys: [key('a'), key('b', false), key('c'), key('d')] })])
    const routeQuery = question({ excluded: { ...noExclusions, keys: new Set(['1:d']) } })
    const turns = Array.from({ length: 4 }, () => plan(catalog, routeQuery)?.key.fingerprint)
    expect(turns).toEqual(['a', 'c', 'a', 'c'])
  })

  test('keys in cooldown are skipped while another is available', () => {
    const keys = [key('a'), key('b'), key('c')]
    const channel = aChannel(1, { keys })
    const clock = new FakeTime()
    const routeQuery = question({ health: new Health(clock) })
    const restOf = (name: string, seconds: number) =>
      routeQuery.health.cooldowns.start(keyName(channel, key(name)), seconds)
    const turns = (count: number) =>
      Array.from({ length: count }, () => plan(aCatalog([channel]), routeQuery)?.key.fingerprint)
    restOf('b', 10)
    expect(new Set(turns(6))).toEqual(new Set(['a', 'c']))
    restOf('a', 10)
    restOf('c', 5)
    expect(new Set(turns(6))).toEqual(new Set(['a', 'b', 'c']))
    clock.advance(5000)
    expect(new Set(turns(6))).toEqual(new Set(['c']))
    clock.advance(5000)
    expect(new Set(turns(6))).toEqual(new Set(['a', 'b', 'c']))
  })

  test('channels whose keys are all in cooldown come last, after those whose breaker is open, across all priority levels', () => {
    const [resting, failing] = [aChannel(1, { priority: 9 }), aChannel(2)]
    const catalog = aCatalog([resting, failing])
    const health = new Health(new FakeTime())
    health.cooldowns.start(keyName(resting, key('k1')), 10)
    expect(plan(catalog, question({ health }))?.channel.id).toBe(2)
    brokenFor(health, 2)
    expect(plan(catalog, question({ health }))?.channel.id).toBe(2)
    const excluded = { ...noExclusions, channels: new Set([2]) }
    expect(plan(catalog, question({ health, excluded }))?.channel.id).toBe(1)
    expect(health.isFailing(resting)).toBe(false)
  })

  test('a channel that lacks the model comes last for that model only', () => {
    const catalog = aCatalog([aChannel(1, { priority: 9 }), aChannel(2)])
    const health = new Health(new FakeTime())
    attemptAt(health, 1, 'k1', 'm').recordFailure({ scope: 'model', weight: Infinity, tookMs: 0 })
    expect(plan(catalog, question({ health }))?.channel.id).toBe(2)
    expect(health.isFailing(aChannel(1), 'm')).toBe(true)
    expect(health.isFailing(aChannel(1), 'other')).toBe(false)
  })

  test('a key that was refused is skipped, and a channel without another comes last', () => {
    const channel = aChannel(1, { priority: 9, keys: [key('a'), key('b')] })
    const catalog = aCatalog([channel, aChannel(2)])
    const health = new Health(new FakeTime())
    const routeQuery = question({ health })
    const refused = { scope: 'key', weight: Infinity, tookMs: 0 } as const
    attemptAt(health, 1, 'a').recordFailure(refused)
    const turns = Array.from({ length: 4 }, () => plan(catalog, routeQuery)?.key.fingerprint)
    expect(turns).toEqual(['b', 'b', 'b', 'b'])
    attemptAt(health, 1, 'b').recordFailure(refused)
    expect(plan(catalog, routeQuery)?.channel.id).toBe(2)
    expect(health.isFailing(channel)).toBe(true)
  })

  test('a retry goes to a channel whose latest call succeeded, even of a lower priority level, and probes last', () => {
    const channels = [aChannel(1, { priority: 9 }), aChannel(2, { priority: 9 }), aChannel(3)]
    const clock = new FakeTime()
    const health = new Health(clock)
    const next = (isRetry: boolean, excluded: number[]) =>
      plan(
        aCatalog(channels),
        question({ health, isRetry, excluded: { ...noExclusions, channels: new Set(excluded) } }),
      )?.channel.id
    attemptAt(health, 2).recordFailure(failure)
    expect(next(false, [1])).toBe(2)
    expect(next(true, [1])).toBe(3)
    brokenFor(health, 2)
    clock.advance(2000)
    expect(next(false, [1])).toBe(2)
    expect(next(true, [1])).toBe(3)
    attemptAt(health, 3).recordFailure(failure)
    expect(next(true, [1])).toBe(3)
    expect(next(true, [1, 3])).toBe(2)
  })

  test('a channel without a usable key is not a candidate', () => {
    const catalog = aCatalog([aChannel(1, { keys: [key('a', false)] })])
    expect(plan(catalog, question())).toBeNull()
  })

  test('a vendor without this mode is skipped', () => {
    const chatOnly = { ...openai, modes: { chat: openai.modes.chat } }
    const catalog = aCatalog([aChannel(1, { priority: 1, provider: chatOnly }), aChannel(2)])
    expect(plan(catalog, question({ mode: 'embeddings' }))?.channel.id).toBe(2)
  })
})

describe('a channel at its concurrency cap', () => {
  const clients = new AbortController()
  afterAll(() => clients.abort())
  const fill = (health: Health, channel: Channel) =>
    // Calls that wait in these tests are never let in.
    Promise.resolve(health.slots.enter(channel, { signal: clients.signal, deadline: 1e9 })).catch(() => {})
  const fillChannels = (channels: readonly Channel[], waiting = 0) => {
    const health = new Health(new FakeTime())
    for (const channel of channels) {
      const calls = (channel.setting.max_concurrency ?? 0) + waiting
      for (let call = 0; call < calls; call += 1) void fill(health, channel)
    }
    return health
  }
  const one = { setting: { max_concurrency: 1, max_waiting: 1 } }

  test('a full channel gives way to the others of its priority level, then to the next priority level', () => {
    const [full, other, lower] = [aChannel(1, { ...one, priority: 5 }), aChannel(2, { priority: 5 }), aChannel(3)]
    const health = fillChannels([full])
    for (let call = 0; call < 20; call += 1)
      expect(plan(aCatalog([full, other, lower]), question({ health }))?.channel.id).toBe(2)
    expect(plan(aCatalog([full, lower]), question({ health }))?.channel.id).toBe(3)
    expect(health.isFailing(full)).toBe(false)
  })

  test('a full channel is waited for when none is free, the one with room in its queue first', () => {
    const [full, roomy] = [aChannel(1, { ...one, priority: 5 }), aChannel(2, one)]
    const health = fillChannels([full], 1)
    void fill(health, roomy)
    expect(plan(aCatalog([full, roomy]), question({ health }))?.channel.id).toBe(2)
    expect(plan(aCatalog([full]), question({ health }))?.channel.id).toBe(1)
  })

  test('a full channel is waited for rather than using one that fails, unless its queue is full too', () => {
    const channels = [aChannel(1, one), aChannel(2)]
    const waited = fillChannels(channels)
    brokenFor(waited, 2)
    expect(plan(aCatalog(channels), question({ health: waited }))?.channel.id).toBe(1)
    const full = fillChannels(channels, 1)
    brokenFor(full, 2)
    expect(plan(aCatalog(channels), question({ health: full }))?.channel.id).toBe(2)
  })

  test('a full channel is waited for rather than using one with all keys in cooldown, unless its queue is full too', () => {
    const channels = [aChannel(1, one), aChannel(2, { priority: 5 })]
    for (const [waiting, expectedId] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const health = fillChannels(channels, waiting)
      health.cooldowns.start('2:k2', 10)
      expect(plan(aCatalog(channels), question({ health }))?.channel.id).toBe(expectedId)
    }
  })
})
