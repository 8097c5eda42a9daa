import { expect, test } from 'bun:test'
import { readLogDetails } from '@tollgate/contract'
import { loggedCharge, loggedQuota } from '@tollgate/contract/price-formula'

import { formatFixedDollars } from '../../../lib/text/format'
import { costInDollars } from './cost-in-dollars'

/** Digits of an amount as shown, without its point. */
const figures = (dollars: number, digits: number) =>
  Number(formatFixedDollars(dollars, digits, 'en').replaceAll(/[$,.]/g, ''))

const perUnits = [500_000, 7, 1_000_000]
const groups = [1, 0.8, 0.333, 2.5, 0]
const prices = [
  { input: 0.15, output: 0.6, cache_read: 0.075 },
  { input: 16.4384, output: 16.4384 },
  { input: 0.0375, output: 0.1234567 },
]
const tokens = [
  [1, 0],
  [4, 8],
  [5200, 420],
  [1_048_576, 65_536],
] as const

const cases = perUnits.flatMap((perUnit) =>
  groups.flatMap((group) => prices.flatMap((price) => tokens.map((count) => ({ perUnit, group, price, count })))),
)

test.each(cases)(
  'shown amounts add up to the shown total: %j',
  ({ perUnit, group, price, count: [prompt, completion] }) => {
    const details = readLogDetails(
      JSON.stringify({ model_price: -1, prices: price, group_ratio: group, service_tier_ratio: 1.5 }),
    )
    const charge = loggedCharge({ prompt_tokens: prompt, completion_tokens: completion }, details)
    if (!charge) throw new Error('the row has prices')
    const { quota } = loggedQuota(charge, perUnit)
    const { lines, factors, rounding, total, digits } = costInDollars(charge, quota, perUnit)
    const parts = [...lines, ...factors].map(({ dollars }) => dollars)
    const sum = [...parts, rounding].reduce((before, dollars) => before + figures(dollars, digits), 0)
    expect(sum).toBe(figures(total, digits))
    // The rounding is below one unit of quota, or one digit for each line.
    expect(Math.abs(rounding)).toBeLessThanOrEqual(1 / perUnit + (parts.length + 1) / 10 ** digits)
  },
)
