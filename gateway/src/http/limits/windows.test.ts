import { expect, test } from 'bun:test'

import { Windows } from './limiter'

function windowsAt(start: number) {
  const clock = { ms: start }
  return { clock, windows: new Windows(() => clock.ms) }
}

test('a window begins with a key’s first event and ends after its time, whatever happens meanwhile', () => {
  const { clock, windows } = windowsAt(5)
  expect(windows.peek('k')).toEqual({ count: 0, endsInMs: 0 })
  expect(windows.add('k', 100)).toEqual({ count: 1, endsInMs: 100 })
  clock.ms += 99
  expect(windows.add('k', 100)).toEqual({ count: 2, endsInMs: 1 })
  expect(windows.peek('k')).toEqual({ count: 2, endsInMs: 1 })
  expect(windows.peek('other').count).toBe(0)
  clock.ms += 1
  expect(windows.peek('k').count).toBe(0)
  expect(windows.add('k', 100)).toEqual({ count: 1, endsInMs: 100 })
})

test('a window of a month stays open', () => {
  const { clock, windows } = windowsAt(0)
  const month = 31 * 24 * 3600 * 1000
  windows.add('k', month)
  clock.ms = month - 1
  expect(windows.add('k', month)).toEqual({ count: 2, endsInMs: 1 })
})

test('keys whose windows are over are removed, those with open windows stay', () => {
  const { clock, windows } = windowsAt(0)
  windows.add('long', 1_000_000)
  for (let turn = 0; turn < 100; turn += 1) {
    for (let key = 0; key < 100; key += 1) windows.add(`${turn}:${key}`, 10)
    clock.ms += 20
  }
  expect(windows.size).toBeLessThanOrEqual(1001)
  expect(windows.add('long', 1_000_000).count).toBe(2)
})

test('an undone event was never counted, and undoing one of a window that is over has no effect', () => {
  const { clock, windows } = windowsAt(0)
  windows.add('k', 100)
  windows.add('k', 100)
  windows.takeBack('k')
  expect(windows.peek('k').count).toBe(1)
  clock.ms = 100
  windows.takeBack('k')
  windows.takeBack('never')
  expect(windows.add('k', 100).count).toBe(1)
})
