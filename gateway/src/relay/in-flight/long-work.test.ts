import { expect, test } from 'bun:test'

import { LongWork } from './long-work'

const megabyte = 1024 * 1024

test.each([
  ['work of few bytes', [1, 1], 1, 0],
  ['work of many bytes', [1, 1, 1, 1, 1, 1], 1, 2],
  ['work of many steps', Array<number>(300).fill(0), 1, 1],
  ['work beside another call', [5, 5, 5], 0, 0],
])('%s is collected as often as is worth a pause', (_what, megabytes, ownCalls, expected) => {
  let collected = 0
  const work = new LongWork({ count: 1 }, () => void (collected += 1))
  for (const size of megabytes) work.step(size * megabyte, ownCalls)
  expect(collected).toBe(expected)
})

test('work is collected at its next step once other calls are gone', () => {
  let collected = 0
  const inFlight = { count: 2 }
  const work = new LongWork(inFlight, () => void (collected += 1))
  work.step(5 * megabyte, 1)
  inFlight.count = 1
  work.step(0, 1)
  expect(collected).toBe(1)
})
