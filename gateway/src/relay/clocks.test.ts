import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'

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

test('an answer that does not begin is stopped', () => {
  const clocks = startClocks(clock, limits)
  pass(90)
  expect(clocks.signal.aborted).toBe(false)
  pass(20)
  expect([clocks.signal.aborted, clocks.reason]).toEqual([true, 'first-byte'])
})

test('gaps count only once it has begun, and reads begin them anew', () => {
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

test('a client that does not read is not the upstream’s silence', () => {
  const clocks = startClocks(clock, limits)
  clocks.began()
  clocks.paused()
  pass(400)
  expect(clocks.reason).toBeNull()
  clocks.touched()
  pass(120)
  expect(clocks.reason).toBe('idle')
})

test('a process that stood still itself does not blame the upstream', () => {
  const clocks = startClocks(clock, { ...limits, totalMs: 5000 })
  clocks.began()
  now += 2000
  pass(60)
  expect(clocks.reason).toBeNull()
  pass(60)
  expect(clocks.reason).toBe('idle')
})

test('the whole is bounded whatever comes', () => {
  const clocks = startClocks(clock, limits)
  clocks.began()
  for (let read = 0; read < 110; read += 1) {
    pass(10)
    clocks.touched()
  }
  expect(clocks.reason).toBe('total')
})

test('what is finished is not stopped, and the first reason stays', () => {
  const finished = startClocks(clock, limits)
  finished.finish()
  const left = startClocks(clock, limits)
  left.stop('client')
  pass(2000)
  left.stop('total')
  expect([finished.reason, left.reason]).toEqual([null, 'client'])
})

describe('the time for the connection', () => {
  const slowStart = (canConnect: boolean | Promise<boolean>) => {
    const asked: number[] = []
    const connect = {
      milliseconds: 40,
      canConnect: (withinMs: number) => {
        asked.push(withinMs)
        return Promise.resolve(canConnect)
      },
    }
    return { asked, clocks: startClocks(clock, { ...limits, connect }) }
  }
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  }

  test('is over when the host takes no connection in what is left of it', async () => {
    const { asked, clocks } = slowStart(false)
    pass(10)
    expect(asked).toEqual([])
    pass(20)
    await settled()
    expect([asked, clocks.reason]).toEqual([[20], 'connect'])
  })

  test('is no matter while the host takes connections: it is asked once', async () => {
    const { asked, clocks } = slowStart(true)
    pass(90)
    await settled()
    expect([asked.length, clocks.reason]).toEqual([1, null])
    pass(20)
    expect(clocks.reason).toBe('first-byte')
  })

  test('ends with the head of the answer: nobody is asked', async () => {
    const { asked, clocks } = slowStart(false)
    clocks.answered()
    pass(50)
    await settled()
    expect([asked, clocks.reason]).toEqual([[], null])
  })

  test('ends with the head of the answer, also while the host is tried', async () => {
    const told = Promise.withResolvers<boolean>()
    const { asked, clocks } = slowStart(told.promise)
    pass(30)
    clocks.answered()
    told.resolve(false)
    await settled()
    expect([asked.length, clocks.reason]).toEqual([1, null])
  })
})
