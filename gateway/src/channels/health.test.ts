import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { createHealth } from './health'

function handClock() {
  let now = 1000
  return { now: () => now, monotonic: () => now, advance: (ms: number) => void (now += ms) }
}

const times = (count: number, action: () => void) => {
  for (let turn = 0; turn < count; turn += 1) action()
}

describe('a breaker', () => {
  test('opens after five failures in a row and lets one probe through after its pause', () => {
    const clock = handClock()
    const health = createHealth({ clock })
    times(4, () => health.failed(1))
    expect(health.isAvailable(1)).toBe(true)
    health.failed(1)
    expect(health.isAvailable(1)).toBe(false)
    clock.advance(2000)
    expect([health.isAvailable(1), health.isAvailable(1)]).toEqual([true, false])
  })

  test('closes when the probe succeeds', () => {
    const clock = handClock()
    const health = createHealth({ clock })
    times(5, () => health.failed(1))
    clock.advance(2000)
    health.isAvailable(1)
    health.succeeded(1)
    expect([health.isAvailable(1), health.isAvailable(1)]).toEqual([true, true])
  })

  test('pauses twice as long after each failed probe, up to a minute', () => {
    const clock = handClock()
    const health = createHealth({ clock })
    times(5, () => health.failed(1))
    for (const pauseMs of [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      clock.advance(pauseMs - 1)
      expect(health.isAvailable(1)).toBe(false)
      clock.advance(1)
      expect(health.isAvailable(1)).toBe(true)
      health.failed(1)
    }
  })

  test('failures of calls sent before it opened do not lengthen the pause', () => {
    const clock = handClock()
    const health = createHealth({ clock })
    times(40, () => health.failed(1))
    clock.advance(2000)
    expect(health.isAvailable(1)).toBe(true)
  })

  test('a probe that never reports gives its place to another one', () => {
    const clock = handClock()
    const health = createHealth({ clock })
    times(5, () => health.failed(1))
    clock.advance(2000)
    health.isAvailable(1)
    clock.advance(30_000)
    expect(health.isAvailable(1)).toBe(true)
  })

  test('opens when more than half of many calls fail, though never five in a row', () => {
    const health = createHealth({ clock: handClock() })
    times(7, () => {
      health.succeeded(1)
      health.failed(1)
      health.failed(1)
    })
    expect(health.isAvailable(1)).toBe(false)
  })

  test('is one for each channel', () => {
    const health = createHealth({ clock: handClock() })
    times(5, () => health.failed(1))
    expect(health.isAvailable(2)).toBe(true)
  })
})

describe('the retry budget', () => {
  test('is at most a fifth of the calls beyond its reserve', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 400 }), (turns) => {
        const { retries } = createHealth({ clock: handClock() })
        let calls = 0
        let taken = 0
        for (const isCall of turns) {
          if (isCall) {
            calls += 1
            retries.called()
          } else if (retries.take()) taken += 1
        }
        expect(taken).toBeLessThanOrEqual(10 + calls * 0.2 + 1e-6)
      }),
    )
  })

  test('its reserve comes back with time, and only that', () => {
    const clock = handClock()
    const { retries } = createHealth({ clock })
    times(10, () => expect(retries.take()).toBe(true))
    expect(retries.take()).toBe(false)
    clock.advance(1000)
    expect([retries.take(), retries.take()]).toEqual([true, false])
    clock.advance(3_600_000)
    times(10, () => expect(retries.take()).toBe(true))
    expect(retries.take()).toBe(false)
  })
})
