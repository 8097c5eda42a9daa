import { expect, test } from 'bun:test'

import { sparklinePoints } from './sparkline'

test.each([
  [[], undefined],
  [[5], undefined],
  [[0, 0], '0,25 120,25'],
  [[0, 10, 5], '0,25 60,1 120,13'],
])('the line of %p', (values, points) => {
  expect(sparklinePoints(values)).toBe(points)
})
