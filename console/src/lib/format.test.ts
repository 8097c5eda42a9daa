import { expect, test } from 'bun:test'

import { formatAgo } from './format'

const now = 1_800_000_000

test.each([
  [-180, 'en', '3 minutes ago'],
  [-180, 'zh', '3 分钟前'],
  [29 * 86_400, 'zh', '29 天后'],
  [-86_400, 'zh', '昨天'],
] as const)('%d seconds from now in %s is “%s”', (difference, language, text) => {
  expect(formatAgo(now + difference, now, language)).toBe(text)
})
