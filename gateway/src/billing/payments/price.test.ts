import { describe, expect, test } from 'bun:test'

import { defaultOptions, type OptionValues } from '@tollgate/contract'

import { minorOf, moneyText } from './currency'
import { amountOf, discounts, priceOf, quotaOf } from './price'

const options = (values: Partial<OptionValues> = {}): OptionValues => ({ ...defaultOptions, ...values })
const yuan = { currency: 'CNY', price: 7.3 }
const inQuota = { DisplayInCurrencyEnabled: false }

describe('the price of a top-up', () => {
  test.each<[string, number, { currency: string; price: number }, Partial<OptionValues>, string, number]>([
    ['dollars by the price of a dollar', 10, yuan, {}, 'default', 7300],
    ['halves of a cent are rounded up', 1, { ...yuan, price: 7.345 }, {}, 'default', 735],
    ['prices are decimals, not binary fractions', 3, { ...yuan, price: 1.005 }, {}, 'default', 302],
    ['the ratio of the group multiplies', 10, yuan, { TopupGroupRatio: { vip: 0.9 } }, 'vip', 6570],
    ['a group without a ratio pays the price', 10, yuan, { TopupGroupRatio: { vip: 0.9 } }, 'default', 7300],
    ['a ratio of 0 counts as none', 10, yuan, { TopupGroupRatio: { vip: 0 } }, 'vip', 7300],
    ['a discount applies to exactly its amount', 100, yuan, { AmountDiscount: { '100': 0.9 } }, 'default', 65_700],
    ['and to no larger one', 101, yuan, { AmountDiscount: { '100': 0.9 } }, 'default', 73_730],
    [
      'ratio and discount multiply',
      100,
      yuan,
      { AmountDiscount: { '100': 0.9 }, TopupGroupRatio: { vip: 0.5 } },
      'vip',
      32_850,
    ],
    ['quota where no currency is shown', 5_000_000, yuan, inQuota, 'default', 7300],
    [
      'a discount there is for the dollars',
      50_000_000,
      yuan,
      { ...inQuota, AmountDiscount: { '100': 0.9 } },
      'default',
      65_700,
    ],
    ['a currency without decimals', 10, { currency: 'JPY', price: 150.5 }, {}, 'default', 1505],
    ['a currency with three decimals', 10, { currency: 'KWD', price: 0.307 }, {}, 'default', 3070],
    ['three decimals end in 0', 10, { currency: 'KWD', price: 0.3071 }, {}, 'default', 3080],
    ['a currency whose decimals are 0', 10, { currency: 'ISK', price: 130.01 }, {}, 'default', 130_100],
    ['less than half a cent is nothing', 1, { ...yuan, price: 0.004 }, {}, 'default', 0],
  ])('%s', (_what, amount, method, values, group, minor) => {
    expect(priceOf(amount, method, options(values), group)).toBe(minor)
  })

  test('dollars credit the quota of a dollar, and quota credits itself', () => {
    expect(quotaOf(10, options())).toBe(5_000_000)
    expect(quotaOf(10, options({ QuotaPerUnit: 1234.5 }))).toBe(12_345)
    expect(quotaOf(777, options(inQuota))).toBe(777)
    expect(amountOf(10, options(inQuota))).toBe(5_000_000)
    expect([...discounts(options({ ...inQuota, AmountDiscount: { '100': 0.9 } }))]).toEqual([[50_000_000, 0.9]])
  })
})

describe('an amount of money', () => {
  test.each<[number, string, string]>([
    [7300, 'CNY', '73.00'],
    [5, 'CNY', '0.05'],
    [0, 'USD', '0.00'],
    [1505, 'JPY', '1505'],
    [3071, 'KWD', '3.071'],
  ])('an amount of %d in %s reads %s, and back', (minor, currency, text) => {
    expect(moneyText(minor, currency)).toBe(text)
    expect(minorOf(text, currency)).toBe(minor)
  })

  test.each<[string, string, number | null]>([
    ['73', 'CNY', 7300],
    ['73.0', 'CNY', 7300],
    ['73.000000', 'CNY', 7300],
    ['73.001', 'CNY', null],
    ['1505.5', 'JPY', null],
    ['-1', 'CNY', null],
    ['1e3', 'CNY', null],
    ['', 'CNY', null],
    ['0x10', 'CNY', null],
    ['99999999999999.99', 'CNY', null],
  ])('written %p in %s is %p', (text, currency, minor) => {
    expect(minorOf(text, currency)).toBe(minor)
  })
})
