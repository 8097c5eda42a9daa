import { afterEach, beforeEach, expect, jest, test } from 'bun:test'

import { startClocks } from './clocks'

let now = 0
const clock = { now: () => now, monotonic: () => now }

beforeEach(() => {
  now = 0
  jest.useFakeTimers()
})
afterEach(() => jest.useRealTimers())

function pass(milliseconds: number) {
  for (let step = 0; step < milliseconds; step += 10) {
    now += 10
    jest.advanceTimersByTime(10)
  }
}

const limits = { firstByteMs: 100, idleMs: 50, totalMs: 1000 }

test('a response that does not begin in time is stopped', () => {
  const clocks = startClocks(clock, limits)
  pass(90)
  expect(clocks.cancellation.isCancelled).toBe(false)
  pass(20)
  expect([clocks.cancellation.isCancelled, clocks.reason]).toEqual([true, 'first-byte'])
})

test('the idle timeout starts with the first byte, and every read restarts it', () => {
  const clocks = startClocks(clock, limits)
  pass(80)
  clocks.began()
  for (let read = 0; read < 5; read += 1) {
    pass(40)
    clocks.touched()
  }
  expect(clocks.reason).toBeNull()
  pass(120)
  expect(clocks.reason).toBe('idle')
})

test('time during which the client does not read is not counted as upstream silence', () => {
  const clocks = startClocks(clock, limits)
  clocks.began()
  clocks.paused()
  pass(400)
  expect(clocks.reason).toBeNull()
  clocks.touched()
  pass(120)
  expect(clocks.reason).toBe('idle')
})

test('a process that was itself suspended does not blame the upstream', () => {
  const clocks = startClocks(clock, { ...limits, totalMs: 5000 })
  clocks.began()
  now += 2000
  pass(60)
  expect(clocks.reason).toBeNull()
  pass(60)
  expect(clocks.reason).toBe('idle')
})

test('the total timeout applies whatever arrives', () => {
  const clocks = startClocks(clock, limits)
  clocks.began()
  for (let read = 0; read < 110; read += 1) {
    pass(10)
    clocks.touched()
  }
  expect(clocks.reason).toBe('total')
})

test('a finished attempt is not stopped, and the first stop reason stays', () => {
  const finished = startClocks(clock, limits)
  finished.finish()
  const left = startClocks(clock, limits)
  left.stop('client')
  pass(2000)
  left.stop('total')
  expect([finished.reason, left.reason]).toEqual([null, 'client'])
})
