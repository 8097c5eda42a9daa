import { afterEach, describe, expect, spyOn, test } from 'bun:test'

import { openGate } from '@tollgate/simulator'
import { Redis } from 'ioredis'

import { onBothDatabases } from '../../../test/databases'
import { FakeTime } from '../../../test/fake-time'
import { createClock } from '../../platform/time/clock'
import { nextTurn, systemTimers } from '../../platform/time/timers'
import { createLimiter } from './create-limiter'
import { databaseLimiter } from './database-limiter'
import { MemoryLimiter, type Limiter } from './limiter'

const redisUrl = process.env['TEST_REDIS_URL'] ?? ''
const twoAMinute = { points: 2, durationSeconds: 60 }
const open: Limiter[] = []

async function limiter(url: string): Promise<Limiter> {
  const instance = await createLimiter({ redisUrl: url, timers: systemTimers })
  open.push(instance)
  return instance
}
afterEach(async () => {
  for (const instance of open.splice(0)) await instance.close()
})

async function counts(instance: Limiter) {
  const key = crypto.randomUUID()
  expect(await instance.peek(key, twoAMinute)).toEqual({ allowed: true, remaining: 1, retryAfterSeconds: 60 })
  const results = [await instance.consume(key, twoAMinute), await instance.consume(key, twoAMinute)]
  expect(results.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 1],
    [true, 0],
  ])
  expect((await instance.peek(key, twoAMinute)).allowed).toBe(false)
  const refused = await instance.consume(key, twoAMinute)
  expect(refused.allowed).toBe(false)
  expect(refused.retryAfterSeconds).toBeWithin(1, 61)
  expect((await instance.consume(`${key}.other`, twoAMinute)).allowed).toBe(true)
  await instance.restore(key, twoAMinute)
  await instance.restore(key, twoAMinute)
  expect((await instance.peek(key, twoAMinute)).allowed).toBe(true)
  await instance.restore(`${key}.never`, twoAMinute)
  const never = [await instance.consume(`${key}.never`, twoAMinute), await instance.consume(`${key}.never`, twoAMinute)]
  expect([...never, await instance.consume(`${key}.never`, twoAMinute)].map(({ allowed }) => allowed)).toEqual([
    true,
    true,
    false,
  ])
}

describe('a limiter in memory', () => {
  test('the limiter in memory counts each key up to its points', async () => counts(new MemoryLimiter()))

  test('the limiter in memory allows exactly the points to simultaneous events', async () => {
    const instance = new MemoryLimiter()
    const results = await Promise.all(
      Array.from({ length: 50 }, async () => instance.consume('k', { points: 7, durationSeconds: 60 })),
    )
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(7)
  })

  test('the limiter in memory keeps windows of different lengths apart', async () => {
    const instance = new MemoryLimiter()
    await instance.consume('k', { points: 1, durationSeconds: 60 })
    expect((await instance.consume('k', { points: 1, durationSeconds: 61 })).allowed).toBe(true)
    expect((await instance.consume('k', { points: 1, durationSeconds: 60 })).allowed).toBe(false)
  })

  test('the limiter in memory keeps a window of a month open', async () => {
    const instance = new MemoryLimiter()
    const aMonth = { points: 1, durationSeconds: 31 * 24 * 3600 }
    await instance.consume('k', aMonth)
    await new Promise(setImmediate)
    expect((await instance.consume('k', aMonth)).allowed).toBe(false)
  })
})

onBothDatabases('a limiter over the database', (world) => {
  let seconds = 1_700_000_000
  const clock = createClock(() => seconds * 1000)

  test('a shared limiter counts each key up to its points', async () =>
    counts(databaseLimiter(world().database, clock)))

  test('a shared limiter allows exactly the points to simultaneous events of several instances', async () => {
    const workers = [databaseLimiter(world().database, clock), databaseLimiter(world().database, clock)]
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        workers[index % 2]?.consume('k', { points: 7, durationSeconds: 60 }),
      ),
    )
    expect(results.filter((result) => result?.allowed)).toHaveLength(7)
  })

  test('a shared limiter starts over when a window is over', async () => {
    const instance = databaseLimiter(world().database, clock)
    const once = { points: 1, durationSeconds: 60 }
    expect((await instance.consume('w', once)).allowed).toBe(true)
    seconds += 59
    expect(await instance.consume('w', once)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 1 })
    seconds += 1
    expect((await instance.peek('w', once)).allowed).toBe(true)
    await instance.restore('w', once)
    expect(await instance.consume('w', once)).toEqual({ allowed: true, remaining: 0, retryAfterSeconds: 60 })
  })
})

/** Resolves once each of the two sees what the other counts. */
async function untilShared(one: Limiter, other: Limiter): Promise<void> {
  const once = { points: 1, durationSeconds: 60 }
  for (;;) {
    const key = crypto.randomUUID()
    await one.consume(key, once)
    if (!(await other.peek(key, once)).allowed) return
    await new Promise(setImmediate)
  }
}

const responseTimeoutMs = 250
const probeMs = 500
/** In which Redis answers a probe where it can. */
const turns = 2000

/** Lets time pass again and again until this was told. */
async function untilReported(reports: readonly string[], word: string, pass: () => void): Promise<void> {
  for (let turn = 0; !reports.includes(word); turn += 1) {
    if (turn % turns === 0) pass()
    await nextTurn()
  }
}

describe('a limiter over Redis', () => {
  test('the limiter over Redis counts in memory while Redis is unavailable', async () =>
    counts(await limiter('redis://127.0.0.1:1')))

  test.skipIf(redisUrl === '')('limiters over one Redis share their counts', async () => {
    const [one, other] = [await limiter(redisUrl), await limiter(redisUrl)]
    await untilShared(one, other)
    const key = crypto.randomUUID()
    await one.consume(key, twoAMinute)
    await other.consume(key, twoAMinute)
    expect((await one.peek(key, twoAMinute)).allowed).toBe(false)
    expect((await other.consume(key, twoAMinute)).allowed).toBe(false)
    await counts(one)
  })

  test.skipIf(redisUrl === '')(
    'counts in memory after one time-out when Redis hangs, is told once, and comes back',
    async () => {
      await using gate = await openGate(Number(new URL(redisUrl).port || 6379))
      using sent = spyOn(Redis.prototype, 'sendCommand')
      const reports: string[] = []
      const time = new FakeTime()
      const instance = await createLimiter({
        timers: time,
        redisUrl: `redis://127.0.0.1:${gate.port}`,
        onAway: () => reports.push('away'),
        onBack: () => reports.push('back'),
      })
      open.push(instance)
      const other = await limiter(redisUrl)
      await untilShared(instance, other)
      expect(reports).toEqual([])
      for (const shut of ['hang', 'refuse', 'forget'] as const) {
        reports.length = 0
        await gate[shut]()
        // At most one time-out; then Redis is asked nothing but whether it is back.
        const counting = counts(instance)
        await untilReported(reports, 'away', () => time.advance(responseTimeoutMs))
        await counting
        sent.mockClear()
        for (let turn = 0; turn < 20; turn += 1) {
          await counts(instance)
          time.advance(probeMs)
        }
        const names = sent.mock.calls.map(([{ name }]) => name)
        expect(names.filter((name) => !['ping', 'info'].includes(name))).toEqual([])
        expect(reports).toEqual(['away'])
        await gate.open()
        await untilReported(reports, 'back', () => time.advance(probeMs))
        await untilShared(instance, other)
        expect(reports).toEqual(['away', 'back'])
      }
    },
  )
})
