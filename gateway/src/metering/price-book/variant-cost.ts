import { priceClasses, tokenClasses, toolClasses, type PriceClass } from '@tollgate/models'

import { decimal, digitsAt, product, rounded, type Decimal } from '../decimal'
import type { Amounts } from './amounts'
import type { Variant } from './variant'

/** What multiplies a price in US dollars to make it quota. */
export interface Rate {
  readonly quotaPerUnit: number
  /** Of the group. */
  readonly factor: number
}

/**
 * Returns what amounts cost, to the unit: computed in exact decimals, rounded once, halves up, and at least 1 where a class
 * that was used has a price. Two US dollars for a million tokens are one quota a token whatever `quotaPerUnit` is, as ratios
 * always were; everything else follows `quotaPerUnit`.
 */
export function variantCost({ prices, factors }: Variant, amounts: Amounts, { quotaPerUnit, factor }: Rate): number {
  const common = product(...[...factors, factor].map(decimal))
  const unit = decimal(quotaPerUnit)
  const costs: Decimal[] = []
  for (const priceClass of priceClasses) {
    if (amounts[priceClass] === 0 || prices[priceClass] === 0) continue
    const price = product(decimal(prices[priceClass]), decimal(amounts[priceClass]), common)
    costs.push(
      isOfTokens.has(priceClass) ? product(price, tokens) : product(price, unit, scales.get(priceClass) ?? one),
    )
  }
  const places = Math.max(0, ...costs.map((cost) => cost.places))
  const sum = costs.reduce((total, cost) => total + digitsAt(cost, places), 0n)
  const quota = rounded(sum, 10n ** BigInt(places))
  if (quota === 0n && sum > 0n) return 1
  return quota > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(quota)
}

/** Quota of a token at one US dollar for a million of them. */
const tokens = decimal(0.5)
const one = decimal(1)
const characters = decimal(0.000001)
const toolCalls = decimal(0.001)

/** What one of a class is of the unit that its price stands for, where that is not one. */
const scales: ReadonlyMap<PriceClass, Decimal> = new Map<PriceClass, Decimal>([
  ['per_character', characters],
  ...toolClasses.map((name): [PriceClass, Decimal] => [name, toolCalls]),
])

const isOfTokens: ReadonlySet<PriceClass> = new Set(tokenClasses)
