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
  [{}, undefined],
])('%j is %p seconds', (headers, seconds) => expect(retryAfterOf(new Headers(headers), now)).toBe(seconds))
