import { afterEach, describe, expect, test } from 'bun:test'

import { openGate } from '@tollgate/simulator'
import { Redis } from 'ioredis'
import pino from 'pino'

import { eventually } from '../../../test/eventually'
import { createSeal, type Seal } from '../store/seal'
import { systemClock } from '../time/clock'
import { systemTimers } from '../time/timers'
import type { ResponseStore, StoredResponse } from './response-store'
import { createResponseStore } from './create-response-store'
import { MemoryResponses } from './memory-responses'

const redisUrl = process.env['TEST_REDIS_URL'] ?? ''
const response = (text: string): StoredResponse => ({
  facts: `{"of":"${text}"}`,
  body: Buffer.from(`response é ${text}\n\n`),
})
const terms = { ttlMs: 60_000, maxBytes: 1_000_000 }
const textOf = (found: StoredResponse | null) => found && `${found.facts} ${Buffer.from(found.body).toString()}`

describe('responses in memory', () => {
  test('the responses that were not used for longest leave where there is no room', async () => {
    const store = new MemoryResponses(systemClock)
    await store.keep('one', response('a'), terms)
    const { bytes } = store.held
    const room = { ...terms, maxBytes: bytes * 3 }
    await store.keep('two', response('b'), room)
    await store.keep('six', response('c'), room)
    await store.find('one')
    await store.keep('ten', response('d'), room)
    expect(await Promise.all(['one', 'two', 'six', 'ten'].map(async (key) => textOf(await store.find(key))))).toEqual([
      textOf(response('a')),
      null,
      textOf(response('c')),
      textOf(response('d')),
    ])
    expect(store.held).toEqual({ entries: 3, bytes: bytes * 3 })
    await store.keep('one', response('larger than all the room'.repeat(999)), room)
    expect([await store.find('one'), store.held]).toEqual([null, { entries: 2, bytes: bytes * 2 }])
  })

  test('a response ends with its time, also when no call looks it up', async () => {
    let now = 0
    const store = new MemoryResponses({ monotonic: () => now })
    await store.keep('one', response('a'), { ...terms, ttlMs: 1000 })
    await store.keep('two', response('b'), { ...terms, ttlMs: 1000 })
    now = 999
    expect(textOf(await store.find('one'))).toBe(textOf(response('a')))
    now = 1000
    expect(await store.find('one')).toBeNull()
    expect(store.held.entries).toBe(1)
    now = 61_000
    await store.keep('six', response('c'), terms)
    expect(store.held.entries).toBe(1)
    store.forget()
    expect(store.held).toEqual({ entries: 0, bytes: 0 })
  })
})

describe.skipIf(redisUrl === '')('responses in Redis', () => {
  const open: ResponseStore[] = []
  afterEach(async () => {
    for (const store of open) await store.clearShared()
    for (const store of open.splice(0)) store.close()
  })
  const secret = crypto.getRandomValues(new Uint8Array(32))
  /** Resolves with the store of a worker, connected. */
  async function aWorker(url = redisUrl, seal: Seal = createSeal(secret)) {
    const store = createResponseStore({
      redisUrl: url,
      seal,
      clock: systemClock,
      timers: systemTimers,
      log: pino({ level: 'silent' }),
    })
    open.push(store)
    await store.sharedHeld()
    return store
  }
  const key = () => crypto.randomUUID()

  test('workers share responses, which are sealed and bound to their keys', async () => {
    const [one, other] = [await aWorker(), await aWorker()]
    const [name, moved] = [key(), key()]
    await one.keep(name, response('a secret'), terms)
    expect(textOf(await other.find(name))).toBe(textOf(response('a secret')))
    const redis = new Redis(redisUrl)
    try {
      const stored = (await redis.get(`tollgate:responses:${name}`)) ?? ''
      expect(stored).toStartWith('v2.')
      expect(Buffer.from(stored.split('.').at(-1) ?? '', 'base64url').toString()).not.toContain('secret')
      expect(await redis.pttl(`tollgate:responses:${name}`)).toBeWithin(1, terms.ttlMs + 1)
      await redis.set(`tollgate:responses:${moved}`, stored)
      expect(await one.find(moved)).toBeNull()
      await redis.del(`tollgate:responses:${moved}`)
    } finally {
      redis.disconnect()
    }
    const stranger = await aWorker(redisUrl, createSeal(crypto.getRandomValues(new Uint8Array(32))))
    expect(await stranger.find(name)).toBeNull()
    expect([one.held.entries, other.held.entries]).toEqual([0, 0])
  })

  test('all together stay within their room, and are forgotten together', async () => {
    const store = await aWorker()
    await store.keep(key(), response('size'), terms)
    const { bytes = NaN } = (await store.sharedHeld()) ?? {}
    const names = Array.from({ length: 6 }, key)
    for (const [index, name] of names.entries())
      await store.keep(name, response('size'), { ttlMs: 60_000 + index, maxBytes: bytes * 4 })
    expect(await store.sharedHeld()).toEqual({ entries: 4, bytes: bytes * 4 })
    const found = await Promise.all(names.map(async (name) => (await store.find(name)) !== null))
    expect(found).toEqual([false, false, true, true, true, true])
    await store.keep(names[5] ?? '', response('size'), { ...terms, maxBytes: bytes * 4 })
    expect((await store.sharedHeld())?.entries).toBe(4)
    const other = await aWorker()
    expect(await other.clearShared()).toBe(true)
    expect([await store.sharedHeld(), await store.find(names[5] ?? '')]).toEqual([{ entries: 0, bytes: 0 }, null])
  })

  test.each(['hang', 'refuse'] as const)('each worker keeps its own while Redis is away: %s', async (shut) => {
    await using gate = await openGate(Number(new URL(redisUrl).port || 6379))
    const store = await aWorker(`redis://127.0.0.1:${gate.port}`)
    const [before, during] = [key(), key()]
    await store.keep(before, response('before'), terms)
    await gate[shut]()
    expect(await store.find(before)).toBeNull()
    expect(store.isAlone).toBe(true)
    await store.keep(during, response('during'), terms)
    expect(textOf(await store.find(during))).toBe(textOf(response('during')))
    expect([await store.clearShared(), await store.sharedHeld()]).toEqual([false, null])
    await gate.open()
    expect(await eventually(async () => textOf(await store.find(before)))).toBe(textOf(response('before')) ?? '')
  })

  test('nothing waits for a Redis that never responded', async () => {
    await using gate = await openGate(Number(new URL(redisUrl).port || 6379))
    gate.hang()
    const store = await aWorker(`redis://127.0.0.1:${gate.port}`)
    const name = key()
    await store.keep(name, response('alone'), terms)
    expect(textOf(await store.find(name))).toBe(textOf(response('alone')))
    await gate.open()
  })
})
