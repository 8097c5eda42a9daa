import { expect, test } from 'bun:test'

import { chargeableAmount, stripeDigits } from './stripe-amount'

test.each([
  ['USD', 2],
  ['CNY', 2],
  ['JPY', 0],
  ['KRW', 0],
  ['KWD', 3],
  ['ISK', 2],
])('amounts in %s have %d decimals', (currency, digits) => expect(stripeDigits(currency)).toBe(digits))

test.each([
  ['USD', 1234, 1234],
  ['JPY', 500, 500],
  ['KWD', 5124, 5130],
  ['KWD', 5130, 5130],
  ['ISK', 4010, 4100],
  ['ISK', 4100, 4100],
])('%s %d is charged as %d', (currency, wanted, charged) => expect(chargeableAmount(wanted, currency)).toBe(charged))
