import { expect, test } from 'bun:test'

import { quotaByCall, quotaByTokens } from './formula'

test.each([
  // 1.25 × (10 + 3 × 4) = 27.5, rounded away from zero.
  [{ model: 1.25, completion: 3 }, { prompt: 10, completion: 4 }, 28],
  [{ model: 2.5, cache: 0.5 }, { prompt: 100, completion: 0, cached: 60 }, 175],
  [{ model: 1, image: 2, completion: 1 }, { prompt: 100, completion: 0, image: 40 }, 140],
  [
    { model: 1, completion: 4, audio: 16, audioCompletion: 2 },
    { prompt: 12, completion: 8, audio: 2, audioOut: 3 },
    158,
  ],
  [{ model: 0.001 }, { prompt: 1, completion: 0 }, 1],
  [{ model: 0 }, { prompt: 1000, completion: 0 }, 0],
  [{ model: 1, group: 0.1 }, { prompt: 1004, completion: 0 }, 100],
])('%j for %j costs %d', (price, used, quota) => {
  expect(quotaByTokens(price, used)).toBe(quota)
})

test('a call at a fixed price costs that price in quota', () => {
  expect(quotaByCall(0.0123)).toBe(6150)
  expect(quotaByCall(0.0123, 0.35)).toBe(2153)
})
