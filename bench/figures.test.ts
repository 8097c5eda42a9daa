import { expect, test } from 'bun:test'

import { frontierOf } from './frontier'
import { meansOf } from './means'
import type { Measurement } from './measure'
import { medianOf, quantile } from './quantile'
import { growthOf, isPlateau, slopeOf } from './samples'

const aMeasurement = (fields: Partial<Measurement>): Measurement => ({
  target: 'Tollgate',
  scenario: 'calls-1',
  calls: 10,
  failures: 0,
  callsPerSecond: 100,
  p50: 1,
  p99: 2,
  firstTokenP50: 1,
  firstTokenP99: 2,
  lateP99: null,
  maxLate: null,
  cpuPerCall: null,
  cpuPerFrame: null,
  memory: null,
  ...fields,
})

test('quantiles of nothing are 0', () => {
  expect(quantile(new Float64Array(), 0.5)).toBe(0)
  expect(quantile(Float64Array.of(1, 2, 3, 4), 0.99)).toBe(4)
  expect(quantile(Float64Array.of(1, 2, 3, 4), 0.5)).toBe(3)
  expect(medianOf([9, 1, 5])).toBe(5)
})

test('rounds of the same target under the same scenario become one', () => {
  const means = meansOf([
    aMeasurement({ p50: 1, memory: 50, cpuPerCall: 30 }),
    aMeasurement({ target: 'direct', p50: 0.5 }),
    aMeasurement({ p50: 3, memory: 40, cpuPerCall: 50, failures: 1 }),
    aMeasurement({ scenario: 'calls-32', p50: 7 }),
  ])
  expect(means).toHaveLength(3)
  expect(means[0]).toMatchObject({ p50: 2, memory: 50, cpuPerCall: 40, calls: 20, failures: 1 })
  expect(means[1]).toMatchObject({ target: 'direct', p50: 0.5, memory: null, cpuPerCall: null })
  expect(means[2]).toMatchObject({ scenario: 'calls-32', p50: 7 })
})

test('the frontier is the highest throughput within the bound, wherever it lies', () => {
  const points = [
    { connections: 1, callsPerSecond: 100, p99: 0.5 },
    { connections: 8, callsPerSecond: 400, p99: 2 },
    { connections: 16, callsPerSecond: 350, p99: 3 },
    { connections: 64, callsPerSecond: 900, p99: 20 },
  ]
  expect([0.1, 1, 5, 50].map((bound) => frontierOf(points, bound)?.connections ?? null)).toEqual([null, 1, 8, 64])
})

test('a plateau needs several samples that lie close together', () => {
  expect(isPlateau([100, 100, 100])).toBe(false)
  expect(isPlateau([50, 100, 101, 100, 101, 100, 101])).toBe(true)
  expect(isPlateau([100, 101, 102, 103, 104, 105])).toBe(false)
})

test('growth leaves out the warm-up, slope does not', () => {
  expect(growthOf([10, 50, 100, 100, 100, 100, 100, 100])).toBe(0)
  expect(growthOf([0, 0, 100, 100, 100, 100, 110, 110])).toBeCloseTo(0.1)
  expect(growthOf([1, 2])).toBe(0)
  expect(slopeOf([3, 5, 7, 9])).toBeCloseTo(2)
  expect(slopeOf([4])).toBe(0)
})
