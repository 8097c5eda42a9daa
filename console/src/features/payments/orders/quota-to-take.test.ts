import { expect, test } from 'bun:test'

import { quotaToTake } from './refund-dialog'

const order = { quota: 5_000_000, quota_taken: 0, money: '73.00', refunded: '0.00' }

test('a full refund takes back all of the quota', () => {
  expect(quotaToTake(order, '73.00')).toBe(5_000_000)
})

test('a partial refund takes its share, rounded down', () => {
  expect(quotaToTake(order, '10')).toBe(684_931)
})

test('the last of several refunds takes the rest', () => {
  expect(quotaToTake({ ...order, quota_taken: 684_931, refunded: '10.00' }, '63')).toBe(4_315_069)
})

test('nothing is taken where more was taken before, or the order was free', () => {
  expect(quotaToTake({ ...order, quota_taken: 5_000_001 }, '73.00')).toBe(0)
  expect(quotaToTake({ ...order, quota_taken: 5_000_000 }, '73.00')).toBe(0)
  expect(quotaToTake({ ...order, money: '0.00' }, '0.00')).toBe(0)
})

test('amounts in currencies with three decimals or none are exact', () => {
  expect(quotaToTake({ ...order, money: '3.001' }, '3.001')).toBe(5_000_000)
  expect(quotaToTake({ ...order, money: '1100', refunded: '0' }, '550')).toBe(2_500_000)
})
