import { expect, test } from 'bun:test'

import type { LogRange } from './access-paths'
import { noSums, sumBackwards } from './log-sums'

const hour = 3600
const past = -Infinity

/** Counts one call a second, and records the requested parts. */
function aStretch(range: LogRange) {
  const parts: LogRange[] = []
  const sumOf = async (part: LogRange) => {
    parts.push(part)
    return { ...noSums, count: part.to - part.from + 1 }
  }
  return { parts, stretch: { range, sumOf, step: 1, first: hour } }
}

test('a sum that runs out of time has several parts anyway, the newest, without a gap', async () => {
  const { parts, stretch } = aStretch({ from: 0, to: 1_000_000 * hour - 1 })
  const { sum, until } = await sumBackwards([stretch], past)
  expect(parts).toHaveLength(6)
  expect(parts[0]?.to).toBe(stretch.range.to)
  expect(until).toBe(parts.at(-1)?.from ?? NaN)
  expect(sum.count).toBe(stretch.range.to - (until ?? 0) + 1)
})

test('a shorter range is summed completely', async () => {
  const { stretch } = aStretch({ from: 0, to: 6 * hour - 1 })
  const reached = await sumBackwards([stretch], past)
  expect(reached).toMatchObject({ sum: { count: 6 * hour }, until: null })
})
