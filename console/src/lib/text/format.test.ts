import { describe, expect, test } from 'bun:test'

import {
  capitalize,
  formatAgo,
  formatCompact,
  formatDecimal,
  formatDollars,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPaid,
  formatShare,
  formatTime,
} from './format'

/** Spaces that do not break are shown as plain ones. */
const plain = (text: string) => text.replaceAll(/\s/gu, ' ')

describe('times', () => {
  const now = 1_800_000_000

  test.each([
    [-180, 'en', '3 minutes ago'],
    [-180, 'zh', '3 分钟前'],
    [29 * 86_400, 'zh', '29 天后'],
    [-86_400, 'zh', '昨天'],
    [0, 'en', 'now'],
    [-59, 'en', '59 seconds ago'],
    [-60, 'en', '1 minute ago'],
    [-3599, 'en', '59 minutes ago'],
    [3600, 'en', 'in 1 hour'],
    [-86_399, 'en', '23 hours ago'],
    [86_400, 'en', 'tomorrow'],
    [-2_592_000, 'en', 'last month'],
    [-2_591_999, 'en', '29 days ago'],
    [2 * 31_536_000, 'en', 'in 2 years'],
    [-31_535_999, 'en', '12 months ago'],
  ] as const)('%d seconds from now in %s is “%s”', (difference, language, text) => {
    expect(formatAgo(now + difference, now, language)).toBe(text)
  })

  test('a time has its parts in two digits, in the reader’s time zone', () => {
    expect(formatTime(new Date(2026, 0, 5, 7, 2, 4).getTime() / 1000)).toBe('2026-01-05 07:02:04')
    expect(formatTime(new Date(2026, 11, 31, 23, 59, 59).getTime() / 1000)).toBe('2026-12-31 23:59:59')
  })

  test.each([
    [0, '0 ms'],
    [849.6, '850 ms'],
    [999, '999 ms'],
    [1000, '1 s'],
    [1200, '1.2 s'],
    [1260, '1.3 s'],
    [59_900, '59.9 s'],
    [60_000, '1 min 00 s'],
    [125_999, '2 min 05 s'],
    [3_599_000, '59 min 59 s'],
    [3_600_000, '1 h 00 min'],
    [10_505_000, '2 h 55 min'],
  ])('%d milliseconds are “%s”', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text)
  })
})

describe('money', () => {
  test.each([
    [0, '$0.00'],
    [1, '$1.00'],
    [12.344, '$12.34'],
    [1234.5, '$1,234.50'],
    [0.5, '$0.50'],
    [0.123456, '$0.123'],
    [0.0123, '$0.0123'],
    [0.000123, '$0.000123'],
    [0.00001234, '$0.000012'],
    [0.000001, '$0.000001'],
    [0.999995, '$1.00'],
    [0.1, '$0.10'],
    [0.01, '$0.01'],
    [-12.34, '-$12.34'],
    [-0.000002, '-$0.000002'],
  ])('%d dollars are %s in both languages', (dollars, text) => {
    expect(formatDollars(dollars, 'en')).toBe(text)
    expect(formatDollars(dollars, 'zh')).toBe(text)
  })

  test.each([
    [1_234_567, 500_000, true, '$2.47'],
    [-500_000, 500_000, true, '-$1.00'],
    [1, 500_000, true, '$0.000002'],
    [0, 500_000, true, '$0.00'],
    [61_728, 123_456, true, '$0.50'],
    [123_456, 123_456, true, '$1.00'],
    [1_234_567, 123_456, false, '1.2M'],
    [-1500, 500_000, false, '-1.5k'],
    [1, 500_000, false, '1'],
    [0, 500_000, false, '0'],
  ])('%d units at %d per dollar, in dollars %p, are %s', (quota, quotaPerUnit, isCurrency, text) => {
    expect(formatMoney(quota, { quotaPerUnit, isCurrency }, 'en')).toBe(text)
  })

  test.each([
    ['73.5', 'CNY', 'en', 'CN¥73.5'],
    ['73.00', 'CNY', 'zh', '¥73.00'],
    ['1200', 'JPY', 'en', '¥1,200'],
    ['10.00', 'USD', 'en', '$10.00'],
    ['10.00', 'USD', 'zh', 'US$10.00'],
    ['1.500', 'KWD', 'en', 'KWD 1.500'],
    ['-3.20', 'EUR', 'en', '-€3.20'],
    ['0.00', 'USD', 'en', '$0.00'],
    ['5.00', '', 'en', '5.00'],
    ['5', 'credits', 'en', '5 credits'],
  ] as const)('a payment of %p in %p is shown in %s as %p', (money, currency, language, text) => {
    expect(plain(formatPaid(money, currency, language))).toBe(text)
  })
})

describe('figures', () => {
  test.each([
    [0, '0'],
    [0.5, '0.5'],
    [1.234, '1.23'],
    [950, '950'],
    [999, '999'],
    [999.96, '999.96'],
    [1000, '1k'],
    [12_345, '12.3k'],
    [999_949, '999.9k'],
    [999_950, '1M'],
    [4_500_000, '4.5M'],
    [999_950_000, '1B'],
    [2e9, '2B'],
    [-12_345, '-12.3k'],
    [-999_950, '-1M'],
  ])('%d is %s for short', (value, text) => {
    expect(formatCompact(value)).toBe(text)
  })

  test.each([
    [12_345, '12,345'],
    [-1234.5, '-1,234.5'],
    [0.1234567, '0.123457'],
  ])('%d is %s in full', (value, text) => {
    expect(formatNumber(value, 'en')).toBe(text)
    expect(formatNumber(value, 'zh')).toBe(text)
  })

  test.each([
    [0, '0%'],
    [0.1234, '12.3%'],
    [1, '100%'],
    [-0.05, '-5%'],
  ])('a share of %d is %s', (share, text) => {
    expect(formatShare(share, 'en')).toBe(text)
  })

  test.each([
    [0.1 + 0.2, undefined, '0.3'],
    [1.5, undefined, '1.5'],
    [2, undefined, '2'],
    [0.0000014, undefined, '0.000001'],
    [120, 0, '120'],
    [1.26, 1, '1.3'],
    [100, 2, '100'],
  ])('%d with %p digits at most is %s', (value, digits, text) => {
    expect(formatDecimal(value, digits)).toBe(text)
  })
})

test('a capitalized text differs in its first letter alone', () => {
  expect(['plain text', 'X', ''].map(capitalize)).toEqual(['Plain text', 'X', ''])
})
