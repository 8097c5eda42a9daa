import { describe, expect, test } from 'bun:test'

import { aCatalog, aChannel, attemptAt, brokenFor, failure, key, noExclusions, question } from '../../../test/routes'
import { FakeTime } from '../../../test/fake-time'
import { Health } from '../health/health'
import { plan } from './plan'
import { sessionOf } from './session'

const sessions = Array.from({ length: 4000 }, (_, index) => sessionOf(1 + (index % 7), `conversation ${index}`))

describe('the channel of a conversation', () => {
  const catalog = aCatalog([0, 10, 30, 40].map((weight, index) => aChannel(index + 1, { weight })))
  const homeOf = (session: number, fields: object = {}) =>
    plan(catalog, question({ sessionOf: () => session, ...fields }))?.channel.id

  test('the channel stays the same, whichever worker asks', () => {
    for (const session of sessions.slice(0, 50))
      expect(new Set(Array.from({ length: 5 }, () => homeOf(session)))).toEqual(new Set([homeOf(session)]))
  })

  test('conversations are spread over all channels in proportion to weight plus ten', () => {
    const counts = new Map<number, number>()
    for (const session of sessions) {
      const id = homeOf(session) ?? 0
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    for (const [index, share] of [10, 20, 40, 50].entries())
      expect((counts.get(index + 1) ?? 0) / sessions.length).toBeCloseTo(share / 120, 1)
  })

  test('the channel changes for those alone whose channel does not serve, and is the old one afterwards', () => {
    const health = new Health(new FakeTime())
    const before = sessions.map((session) => homeOf(session))
    brokenFor(health, 3)
    const meanwhile = sessions.map((session) => homeOf(session, { health }))
    for (const [index, home] of before.entries())
      if (home === 3) expect(meanwhile[index]).not.toBe(3)
      else expect(meanwhile[index]).toBe(home)
    expect(new Set(meanwhile.filter((_, index) => before[index] === 3))).toEqual(new Set([1, 2, 4]))
    expect(sessions.map((session) => homeOf(session))).toEqual(before)
  })

  test('the channel is never one of a lower priority level, nor one that is excluded', () => {
    const levels = aCatalog([aChannel(1, { priority: 5 }), aChannel(2, { priority: 5 }), aChannel(3)])
    const channels = (excluded = noExclusions) =>
      new Set(
        sessions
          .slice(0, 100)
          .map((session) => plan(levels, question({ sessionOf: () => session, excluded }))?.channel.id),
      )
    expect(channels()).toEqual(new Set([1, 2]))
    expect(channels({ ...noExclusions, channels: new Set([1, 2]) })).toEqual(new Set([3]))
  })

  test('the channel is drawn anew each time where the channels have no session affinity', () => {
    const without = { setting: { no_session_affinity: true } } as const
    const free = aCatalog([aChannel(1, without), aChannel(2, without)])
    const routeQuestion = question({ sessionOf: () => sessions[0] ?? 0 })
    expect(new Set(Array.from({ length: 40 }, () => plan(free, routeQuestion)?.channel.id))).toEqual(new Set([1, 2]))
  })

  test('the key stays the same too, and another one while that is cooling down', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const one = aCatalog([aChannel(1, { keys: names.map((name) => key(name)) })])
    const keyOf = (session: number, excluded = noExclusions) =>
      plan(one, question({ sessionOf: () => session, excluded }))?.key.fingerprint ?? ''
    const keys = sessions.slice(0, 500).map((session) => keyOf(session))
    expect(sessions.slice(0, 500).map((session) => keyOf(session))).toEqual(keys)
    expect(new Set(keys).size).toBe(names.length)
    const gone = { ...noExclusions, keys: new Set(['1:a']) }
    for (const [index, session] of sessions.slice(0, 500).entries())
      if (keys[index] === 'a') expect(keyOf(session, gone)).not.toBe('a')
      else expect(keyOf(session, gone)).toBe(keys[index] ?? '')
  })
})

describe('prompts that vendors cache by key', () => {
  /**
   * Twelve turns of each conversation over eight channels of two keys, one channel failing now and then, on two workers with a health of
   * their own. Resolves with the share of later turns whose key knows the conversation.
   */
  const hitRate = (hasAffinity: boolean) => {
    const channels = Array.from({ length: 8 }, (_, index) =>
      aChannel(index + 1, { keys: [key(`${index}a`), key(`${index}b`)] }),
    )
    const catalog = aCatalog(channels)
    const workers = [0, 1].map(() => {
      const time = new FakeTime()
      return { time, health: new Health(time) }
    })
    const base = question()
    const caches = new Map<string, Set<number>>()
    let [hits, turns] = [0, 0]
    for (let turn = 0; turn < 12; turn += 1) {
      for (const [index, session] of sessions.slice(0, 300).entries()) {
        const worker = workers[(turn + index) % 2]
        if (!worker) continue
        worker.time.advance(50)
        const routeQuery = { ...base, health: worker.health, sessionOf: () => (hasAffinity ? session : null) }
        const choice = plan(catalog, routeQuery)
        if (!choice) continue
        const attempt = attemptAt(worker.health, choice.channel.id, choice.key.fingerprint)
        if (choice.channel.id === 5 && (turn * 300 + index) % 40 === 0) attempt.recordFailure(failure)
        else attempt.recordSuccess()
        const known = caches.get(choice.key.fingerprint) ?? new Set()
        caches.set(choice.key.fingerprint, known)
        if (turn > 0) {
          turns += 1
          if (known.has(session)) hits += 1
        }
        known.add(session)
      }
    }
    return hits / turns
  }

  test('a cache hits nearly as often as with a single key, and seldom without affinity', () => {
    expect(hitRate(true)).toBeGreaterThanOrEqual(0.95)
    expect(hitRate(false)).toBeLessThan(0.5)
  })
})
