import { expect, test } from 'bun:test'

import { ratioColor } from './ratio-badge'

test.each([
  [0, 'green'],
  [1, 'green'],
  [1.01, 'blue'],
  [3, 'blue'],
  [3.01, 'orange'],
  [5, 'orange'],
  [5.01, 'red'],
] as const)('a ratio of %p is %s', (ratio, color) => {
  expect(ratioColor(ratio)).toBe(color)
})
