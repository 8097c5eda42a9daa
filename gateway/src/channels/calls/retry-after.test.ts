import { expect, test } from 'bun:test'

import { retryAfterOf } from './retry-after'

const now = Date.parse('2026-01-01T00:00:00Z')

test.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': '1.5' }, 1.5],
  [{ 'retry-after-ms': '2500', 'retry-after': '60' }, 2.5],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30],
  [{ 'retry-after': 'Thu, 01 Jan 2020 00:00:30 GMT' }, 0],
  [{ 'retry-after': '1000000000' }, 1_000_000_000],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m30.5s' }, 90.5],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '120ms' }, 0.12],
  [
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '2s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    360,
  ],
  [{ 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '2s' }, undefined],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': 'never' }, undefined],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1h', 'retry-after': '5' }, 5],
  [{ 'anthropic-ratelimit-tokens-remaining': '0', 'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:45Z' }, 45],
  [
    {
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:05Z',
      'anthropic-ratelimit-output-tokens-remaining': '0',
      'anthropic-ratelimit-output-tokens-reset': '2026-01-01T00:01:00Z',
    },
    60,
  ],
  [
    { 'anthropic-ratelimit-tokens-remaining': '9', 'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:45Z' },
    undefined,
  ],
  [{ 'anthropic-ratelimit-tokens-remaining': '0', 'anthropic-ratelimit-tokens-reset': '2026-99-99' }, undefined],
  [{}, undefined],
])('%j means %p seconds', (headers, seconds) =>
  expect(retryAfterOf(new Headers(headers), { now: () => now })).toBe(seconds),
)
