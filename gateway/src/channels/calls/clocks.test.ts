import { beforeEach, expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { startClocks } from './clocks'

let time: FakeTime

beforeEach(() => {
  time = new FakeTime()
})

const limits = { firstByteMs: 100, idleMs: 50, totalMs: 1000 }

test('a response that does not begin in time is stopped', () => {
  const clocks = startClocks(time, limits)
  time.advance(90)
  expect(clocks.cancellation.isCancelled).toBe(false)
  time.advance(20)
  expect([clocks.cancellation.isCancelled, clocks.reason]).toEqual([true, 'first-byte'])
})

test('the idle timeout starts with the first byte, and every read restarts it', () => {
  const clocks = startClocks(time, limits)
  time.advance(80)
  clocks.began()
  for (let read = 0; read < 5; read += 1) {
    time.advance(40)
    clocks.touch()
  }
  expect(clocks.reason).toBeNull()
  time.advance(120)
  expect(clocks.reason).toBe('idle')
})

test('time during which the client does not read is not counted as upstream silence', () => {
  const clocks = startClocks(time, limits)
  clocks.began()
  clocks.pause()
  time.advance(400)
  expect(clocks.reason).toBeNull()
  clocks.touch()
  time.advance(120)
  expect(clocks.reason).toBe('idle')
})

test('a process that was itself suspended does not blame the upstream', () => {
  const clocks = startClocks(time, { ...limits, totalMs: 5000 })
  clocks.began()
  time.stall(2000)
  time.advance(40)
  expect(clocks.reason).toBeNull()
  time.advance(20)
  expect(clocks.reason).toBe('idle')
})

test('the total timeout applies whatever arrives', () => {
  const clocks = startClocks(time, limits)
  clocks.began()
  for (let read = 0; read < 110; read += 1) {
    time.advance(10)
    clocks.touch()
  }
  expect(clocks.reason).toBe('total')
})

test('a finished attempt is not stopped, and the first stop reason stays', () => {
  const finished = startClocks(time, limits)
  finished.finish()
  const left = startClocks(time, limits)
  left.stop('client')
  time.advance(2000)
  left.stop('total')
  expect([finished.reason, left.reason]).toEqual([null, 'client'])
})
