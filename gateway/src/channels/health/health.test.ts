import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { FakeTime } from '../../../test/fake-time'
import { Health, condition } from './health'
import { HealthNews, mergedHealth, type HealthReading } from './health-reading'

const times = (count: number, action: () => void) => {
  for (let turn = 0; turn < count; turn += 1) action()
}

const failure = { scope: 'channel', weight: 1, tookMs: 0 } as const
const target = (id: number, model = 'm', fingerprint = 'k') => ({ channel: { id }, key: { fingerprint }, model })

function aHealth() {
  const clock = new FakeTime()
  const news: HealthNews[] = []
  const health = new Health({ clock, timers: clock, publish: (item) => void news.push(item) })
  const stands = (id: number, model = 'm') => health.conditionOf(id, model)
  return { clock, health, news, stands }
}

const failCalls = (health: Health, count: number, id = 1, model = 'm') =>
  times(count, () => health.begin(target(id, model)).recordFailure(failure))

describe('a breaker', () => {
  test('a breaker opens after five failures in a row and lets one probe through after its pause', () => {
    const { clock, health, stands } = aHealth()
    failCalls(health, 4)
    expect(stands(1)).toBe(condition.suspect)
    failCalls(health, 1)
    expect(stands(1)).toBe(condition.open)
    clock.advance(2000)
    expect(stands(1)).toBe(condition.ready)
    expect(health.begin(target(1)).isProbe).toBe(true)
    expect(stands(1)).toBe(condition.open)
    expect(health.begin(target(1)).isProbe).toBe(false)
  })

  test('a breaker closes when the probe succeeds', () => {
    const { clock, health, stands } = aHealth()
    failCalls(health, 5)
    clock.advance(2000)
    health.begin(target(1)).recordSuccess()
    expect(stands(1)).toBe(condition.steady)
    expect(health.begin(target(1))).toMatchObject({ isProbe: false, isSteady: true })
  })

  test('a breaker doubles its pause after each failed probe, up to a minute', () => {
    const { clock, health, stands } = aHealth()
    failCalls(health, 5)
    for (const pauseMs of [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      clock.advance(pauseMs - 1)
      expect(stands(1)).toBe(condition.open)
      clock.advance(1)
      expect(stands(1)).toBe(condition.ready)
      failCalls(health, 1)
    }
  })

  test('a breaker pauses ten times as long as its probe took, up to ten minutes', () => {
    const { clock, health, stands } = aHealth()
    failCalls(health, 5)
    clock.advance(2000)
    health.begin(target(1)).recordFailure({ ...failure, tookMs: 30_000 })
    clock.advance(299_999)
    expect(stands(1)).toBe(condition.open)
    clock.advance(1)
    health.begin(target(1)).recordFailure({ ...failure, tookMs: 300_000 })
    clock.advance(599_999)
    expect(stands(1)).toBe(condition.open)
    clock.advance(1)
    expect(stands(1)).toBe(condition.ready)
  })

  test('a breaker ignores failures of calls that began before it opened', () => {
    const { clock, health, stands } = aHealth()
    const earlier = Array.from({ length: 40 }, () => health.begin(target(1)))
    for (const attempt of earlier.slice(1)) attempt.recordFailure(failure)
    clock.advance(2000)
    earlier[0]?.recordFailure(failure)
    expect(stands(1)).toBe(condition.ready)
  })

  test('a breaker lets another probe through when the caller of one left', () => {
    const { clock, health, stands } = aHealth()
    failCalls(health, 5)
    clock.advance(2000)
    health.begin(target(1)).endedSilently()
    expect(stands(1)).toBe(condition.ready)
  })

  test('a breaker opens when more than half of many calls fail, though never five in a row', () => {
    const { health, stands } = aHealth()
    times(7, () => {
      health.begin(target(1)).recordSuccess()
      failCalls(health, 2)
    })
    expect(stands(1)).toBe(condition.open)
  })

  test('each channel has a breaker of its own', () => {
    const { health, stands } = aHealth()
    failCalls(health, 5)
    expect(stands(2)).toBe(condition.steady)
  })

  test('the breaker of one model opens though the channel serves others', () => {
    const { health, stands } = aHealth()
    times(5, () => {
      failCalls(health, 1, 1, 'broken')
      health.begin(target(1, 'fine')).recordSuccess()
    })
    expect([stands(1, 'broken'), stands(1, 'fine')]).toEqual([condition.open, condition.steady])
  })

  test('the breaker of a key opens at once for a key that was refused, and closes when it serves', () => {
    const { clock, health } = aHealth()
    health.begin(target(1)).recordFailure({ scope: 'key', weight: Infinity, tookMs: 0 })
    expect([health.keyConditionOf('1:k'), health.keyConditionOf('1:other')]).toEqual([condition.open, condition.steady])
    clock.advance(2000)
    health.begin(target(1)).recordSuccess()
    expect(health.areKeysClear()).toBe(true)
  })

  test('a breaker keeps its probe when the probe failed for another reason', () => {
    const { clock, health, stands } = aHealth()
    failCalls(health, 5)
    clock.advance(2000)
    health.begin(target(1)).recordFailure({ scope: 'key', weight: 1, tookMs: 0 })
    expect(stands(1)).toBe(condition.ready)
  })
})

describe('health news of a worker', () => {
  test('other workers follow news of opening for the same pause, closing, and cooldowns', () => {
    const one = aHealth()
    const other = aHealth()
    const pass = () =>
      one.news.splice(0).forEach((news) => other.health.receive(HealthNews.parse(JSON.parse(JSON.stringify(news)))))
    failCalls(one.health, 5)
    pass()
    expect(other.stands(1)).toBe(condition.open)
    other.clock.advance(2000)
    expect(other.stands(1)).toBe(condition.ready)
    one.clock.advance(2000)
    failCalls(one.health, 1)
    pass()
    other.clock.advance(3999)
    expect(other.stands(1)).toBe(condition.open)
    one.clock.advance(4000)
    one.health.begin(target(1)).recordSuccess()
    one.health.coolDown('1:k', 10)
    pass()
    expect([other.stands(1), other.health.keyConditionOf('1:k')]).toEqual([condition.steady, condition.coolingDown])
  })

  test('a worker sends news when its health changes, and none for calls that change nothing', () => {
    const { health, news } = aHealth()
    times(100, () => health.begin(target(1)).recordSuccess())
    failCalls(health, 4)
    expect(news).toEqual([])
    failCalls(health, 10)
    expect(news.map(({ kind }) => kind)).toEqual(['opened', 'opened'])
  })
})

describe('the retry budget', () => {
  test('the retry budget is at most a fifth of the calls beyond its reserve', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 400 }), (turns) => {
        const { retries } = new Health(new FakeTime())
        let calls = 0
        let taken = 0
        for (const isCall of turns) {
          if (isCall) {
            calls += 1
            retries.recordCall()
          } else if (retries.take()) taken += 1
        }
        expect(taken).toBeLessThanOrEqual(10 + calls * 0.2 + 1e-6)
      }),
    )
  })

  test('only the reserve of the retry budget refills with time', () => {
    const clock = new FakeTime()
    const { retries } = new Health(clock)
    times(10, () => expect(retries.take()).toBe(true))
    expect(retries.take()).toBe(false)
    clock.advance(1000)
    expect([retries.take(), retries.take()]).toEqual([true, false])
    clock.advance(3_600_000)
    times(10, () => expect(retries.take()).toBe(true))
    expect(retries.take()).toBe(false)
  })
})

describe('a health reading', () => {
  test('a reading has calls, breakers, cooldowns and failures of the requested channels only', async () => {
    const { health, clock } = aHealth()
    const wait = { signal: new AbortController().signal, deadline: 1e9 }
    await health.slots.enter({ id: 1, setting: { max_concurrency: 2 } }, wait)
    await health.slots.enter({ id: 11, setting: {} }, wait)
    failCalls(health, 5)
    failCalls(health, 5, 11)
    health.begin(target(2)).recordFailure(failure)
    health.coolDown('1:k', 10)
    health.coolDown('11:k', 10)
    const noted = { at: 5, status: 500, fault: 'refused', message: 'it broke', model: 'm' }
    health.failures.note(1, '1:k', noted)
    health.failures.note(11, '11:k', noted)
    clock.advance(500)
    expect(health.read([1, 3])).toEqual({
      calls: [{ channel: 1, inside: 1, waiting: 0 }],
      breakers: [
        { of: 'channel', name: '1', state: 'open', msLeft: 1500 },
        { of: 'model', name: '1/m', state: 'open', msLeft: 1500 },
      ],
      cooldowns: [{ key: '1:k', seconds: 9.5 }],
      failures: [
        { of: 'channel', name: '1', failure: noted },
        { of: 'key', name: '1:k', failure: noted },
      ],
    })
    expect(health.read([2]).breakers.map(({ state }) => state)).toEqual(['suspect', 'suspect'])
  })

  test('a reading has the latest failure with the beginning of its message', () => {
    const { health } = aHealth()
    const noted = { at: 5, status: 500, fault: 'refused', message: 'x'.repeat(5000), model: 'm' }
    health.failures.note(1, '1:k', { ...noted, at: 4 })
    health.failures.note(1, '1:k', noted)
    const [stored] = health.read([1]).failures
    expect([stored?.failure.at, stored?.failure.message.length]).toEqual([5, 300])
  })

  test('merged readings of several workers add up calls and keep the worst state and the latest failure', () => {
    const reading = (inside: number, state: 'ready' | 'open', seconds: number, at: number): HealthReading => ({
      calls: [{ channel: 1, inside, waiting: 1 }],
      breakers: [{ of: 'channel', name: '1', state, msLeft: seconds }],
      cooldowns: [{ key: '1:k', seconds }],
      failures: [{ of: 'channel', name: '1', failure: { at, status: 500, fault: '', message: '', model: 'm' } }],
    })
    const merged = mergedHealth([reading(2, 'ready', 1, 9), reading(3, 'open', 5, 8)])
    expect(merged).toEqual({ ...reading(5, 'open', 5, 9), calls: [{ channel: 1, inside: 5, waiting: 2 }] })
    expect(mergedHealth([])).toEqual({ calls: [], breakers: [], cooldowns: [], failures: [] })
  })
})
