import { describe, expect, test } from 'bun:test'

import { defaultOptions, type OptionValues } from '@tollgate/contract'

import { emptyPriceBook } from '../../billing/pricing/price-book'
import { buildCatalog } from '../../channels/catalog/build-catalog'
import type { CatalogRow } from '../../channels/catalog/read-channel'
import { FakeTime } from '../../../test/fake-time'
import { Health } from '../../channels/health/health'
import { Metrics } from '../../platform/telemetry/metrics/metrics'
import { KeyTurns } from '../../channels/routing/keys'
import { aCatalogRow } from '../../../test/rows'
import { noWindows } from '../attempt/attempt-windows'
import { Attempts } from './attempt'
import type { RouteRequest } from './route'
import { UpstreamError } from '../../channels/calls/upstream-error'
import { Departure } from '../departure'

const refusalWith = (status: number) => new UpstreamError({ fault: 'refused', status, message: `status ${status}` })

interface Site {
  /** Priorities; ids count from 1. */
  readonly priorities: readonly number[]
  readonly options?: Partial<OptionValues>
  /** Called for each attempt; the channel serves unless this throws. */
  readonly onAttempt: (channel: number) => void
  readonly random?: () => number
}

/** Channels with a manual clock, called one after another. */
function aSite({ priorities, options, onAttempt, random = () => 0 }: Site) {
  const time = new FakeTime()
  const row = (priority: number, index: number): CatalogRow =>
    aCatalogRow({ id: index + 1, key_sealed: `sk-${index + 1}`, models: 'm', group: 'default', priority })
  const { catalog } = buildCatalog({
    revision: 1,
    rows: priorities.map(row),
    options: { ...defaultOptions, ...options },
    book: emptyPriceBook,
    open: (sealed) => sealed,
    report: () => {},
  })
  const parts = {
    clock: time,
    random: { number: random, bytes: (length: number) => new Uint8Array(length) },
    health: new Health(time),
    metrics: new Metrics(),
    keyTurns: new KeyTurns(),
  }
  const seen: number[] = []
  const call = async (pinnedChannelId: number | null = null) => {
    const request: RouteRequest = {
      caller: { group: 'default', pinnedChannelId, ownLogin: null },
      catalog,
      model: 'm',
      mode: 'chat',
      promptTokens: 1,
      departure: Departure.withoutConnection({ userId: 1, tokenId: 1 }),
      deadline: time.monotonic() + 600_000,
    }
    const open = async ({ channel }: { channel: { id: number } }) => {
      seen.push(channel.id)
      onAttempt(channel.id)
      return { isProven: true }
    }
    let result: number | null = null
    const attempts = new Attempts(request, open, { ...parts, windows: noWindows })
    for (let outcome = await attempts.next(); outcome; outcome = await attempts.next())
      result = outcome.kind === 'served' ? outcome.choice.channel.id : outcome.error.status
    return result
  }
  return { call, seen, advance: (ms: number) => time.advance(ms) }
}

describe('a dead channel', () => {
  test('a dead channel in front of a healthy backup fails no call at one call a minute', async () => {
    const site = aSite({
      priorities: [10, 0],
      onAttempt: (channel) => {
        if (channel === 1) throw refusalWith(500)
      },
    })
    for (let minute = 0; minute < 300; minute += 1) {
      expect(await site.call()).toBe(2)
      site.advance(60_000)
    }
    expect(site.seen.filter((channel) => channel === 2)).toHaveLength(300)
  })

  test('a probing call that fails goes to another channel, even with no retries configured and the budget spent', async () => {
    let isDead = false
    const site = aSite({
      priorities: [10, 0],
      options: { RetryTimes: 0 },
      onAttempt: (channel) => {
        if (channel === 1 && isDead) throw refusalWith(503)
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

  test('a call that an administrator pinned to a dead channel fails', async () => {
    const site = aSite({
      priorities: [10, 0],
      onAttempt: (channel) => {
        if (channel === 1) throw refusalWith(500)
      },
    })
    expect(await site.call(1)).toBe(500)
  })
})

describe('further attempts', () => {
  test('retries find the healthy one of three channels when two fail at random', async () => {
    let state = 7
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
    const site = aSite({
      priorities: [0, 0, 0],
      random,
      onAttempt: (channel) => {
        if (channel !== 3 && random() < 0.45) throw refusalWith(500)
      },
    })
    for (let call = 0; call < 5000; call += 1) expect(await site.call()).toBeLessThanOrEqual(3)
  })

  test('retries at channels that all fail amount to a fifth of the calls plus a small reserve', async () => {
    const site = aSite({
      priorities: [0, 0, 0, 0],
      onAttempt: () => {
        throw refusalWith(500)
      },
    })
    const calls = 1000
    for (let call = 0; call < calls; call += 1) expect(await site.call()).toBe(500)
    // All four had been considered healthy.
    expect(site.seen.length).toBeLessThanOrEqual(calls * 1.2 + 10 + 4)
  })

  test('a call makes no more retries than the operator allows', async () => {
    const site = aSite({
      priorities: [4, 3, 2, 1, 0],
      options: { RetryTimes: 2 },
      onAttempt: () => {
        throw refusalWith(500)
      },
    })
    await site.call()
    expect(site.seen).toEqual([1, 2, 3])
  })

  test('a call whose kept connection was stale tries that channel once more', async () => {
    let stale = 1
    const site = aSite({
      priorities: [0],
      options: { RetryTimes: 0 },
      onAttempt: () => {
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
