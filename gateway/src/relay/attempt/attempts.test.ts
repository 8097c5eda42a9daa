import { describe, expect, test } from 'bun:test'

import { defaultOptions, type OptionValues } from '@tollgate/contract'

import { emptyPriceBook } from '../../metering/price-book/price-book'
import { buildCatalog } from '../../catalog/build-catalog'
import type { CatalogRow } from '../../catalog/read-channel'
import { createHealth } from '../../channels/health/health'
import { createMetrics } from '../../metrics/metrics'
import { createKeyTurns } from '../../routing/keys'
import { aCatalogRow } from '../../../test/rows'
import { attempts } from './attempts'
import type { RouteRequest } from './route-request'
import { UpstreamError } from '../../channels/calls/upstream-error'

const refused = (status: number) => new UpstreamError({ fault: 'refused', status, message: `status ${status}` })

interface Site {
  /** Priorities; ids count from 1. */
  readonly priorities: readonly number[]
  readonly options?: Partial<OptionValues>
  /** What each channel does with a call; it serves when nothing is thrown. */
  readonly asked: (channel: number) => void
  readonly random?: () => number
}

/** Channels with a clock that moves by hand, asked one call after another. */
function aSite({ priorities, options, asked, random = () => 0 }: Site) {
  let now = 0
  const clock = { now: () => now, monotonic: () => now }
  const row = (priority: number, index: number): CatalogRow =>
    aCatalogRow({ id: index + 1, key_sealed: `sk-${index + 1}`, models: 'm', group: 'default', priority })
  const { catalog } = buildCatalog({
    revision: 1,
    rows: priorities.map(row),
    options: { ...defaultOptions, ...options },
    prices: emptyPriceBook,
    open: (sealed) => sealed,
    report: () => {},
  })
  const parts = {
    clock,
    random: { number: random, bytes: (length: number) => new Uint8Array(length) },
    health: createHealth({ clock }),
    metrics: createMetrics(),
    keyTurns: createKeyTurns(),
  }
  const seen: number[] = []
  const call = async (pinnedChannelId: number | null = null) => {
    const request: RouteRequest = {
      caller: { group: 'default', pinnedChannelId },
      catalog,
      model: 'm',
      mode: 'chat',
      promptTokens: 1,
      signal: new AbortController().signal,
      deadline: now + 600_000,
    }
    const open = async ({ channel }: { channel: { id: number } }) => {
      seen.push(channel.id)
      asked(channel.id)
      return { isProven: true }
    }
    let result: number | null = null
    for await (const outcome of attempts(request, open, parts))
      result = outcome.kind === 'answered' ? outcome.choice.channel.id : outcome.error.status
    return result
  }
  return { call, seen, advance: (ms: number) => void (now += ms) }
}

describe('a channel that is dead', () => {
  test('before a healthy backup never fails a call, at one call a minute', async () => {
    const site = aSite({
      priorities: [10, 0],
      asked: (channel) => {
        if (channel === 1) throw refused(500)
      },
    })
    for (let minute = 0; minute < 300; minute += 1) {
      expect(await site.call()).toBe(2)
      site.advance(60_000)
    }
    expect(site.seen.filter((channel) => channel === 2)).toHaveLength(300)
  })

  test('fails no call that probes it, though the operator allows no retries and the budget is spent', async () => {
    let isDead = false
    const site = aSite({
      priorities: [10, 0],
      options: { RetryTimes: 0 },
      asked: (channel) => {
        if (channel === 1 && isDead) throw refused(503)
      },
    })
    expect(await site.call()).toBe(1)
    isDead = true
    for (let failure = 0; failure < 5; failure += 1) expect(await site.call()).toBe(503)
    for (let minute = 0; minute < 100; minute += 1) {
      site.advance(60_000)
      expect(await site.call()).toBe(2)
    }
    isDead = false
    site.advance(60_000)
    expect(await site.call()).toBe(1)
  })

  test('fails the call of an administrator who asked for it', async () => {
    const site = aSite({
      priorities: [10, 0],
      asked: (channel) => {
        if (channel === 1) throw refused(500)
      },
    })
    expect(await site.call(1)).toBe(500)
  })
})

describe('further attempts', () => {
  test('find the healthy one of three channels, of which two fail at random', async () => {
    let state = 7
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
    const site = aSite({
      priorities: [0, 0, 0],
      random,
      asked: (channel) => {
        if (channel !== 3 && random() < 0.45) throw refused(500)
      },
    })
    for (let call = 0; call < 5000; call += 1) expect(await site.call()).toBeLessThanOrEqual(3)
  })

  test('at channels that all fail are a fifth of the calls and a small reserve', async () => {
    const site = aSite({
      priorities: [0, 0, 0, 0],
      asked: () => {
        throw refused(500)
      },
    })
    const calls = 1000
    for (let call = 0; call < calls; call += 1) expect(await site.call()).toBe(500)
    // Each of the four was thought to be well once.
    expect(site.seen.length).toBeLessThanOrEqual(calls * 1.2 + 10 + 4)
  })

  test('are at most as many as the operator allows', async () => {
    const site = aSite({
      priorities: [4, 3, 2, 1, 0],
      options: { RetryTimes: 2 },
      asked: () => {
        throw refused(500)
      },
    })
    await site.call()
    expect(site.seen).toEqual([1, 2, 3])
  })

  test('begin again once at the channel whose kept connection was too old', async () => {
    let stale = 1
    const site = aSite({
      priorities: [0],
      options: { RetryTimes: 0 },
      asked: () => {
        stale -= 1
        if (stale >= 0) throw new UpstreamError({ fault: 'stale', status: 502, message: 'closed' })
      },
    })
    expect(await site.call()).toBe(1)
    expect(site.seen).toEqual([1, 1])
    stale = 2
    expect(await site.call()).toBe(502)
  })
})
