import type { Table } from '@tollgate/contract'
import { tierOf } from '@tollgate/dialects'
import { modelKeys } from '@tollgate/models'

import type { Price } from './price'

/**
 * Returns the factor on everything that a call of this tier costs: that of `tier:model` under the first of the model's names,
 * else that of the tier. Null where the site does not sell the tier.
 */
export const tierRatio = (ratios: Table<number>, tier: string, names: readonly string[]): number | null =>
  tierKeyRatio(ratios, tier, names) ?? ratios[tier] ?? null

/** Returns the factor that is set for one model's tier alone; null where none is. */
export function tierKeyRatio(ratios: Table<number>, tier: string, names: readonly string[]): number | null {
  for (const name of names)
    for (const key of [name, ...modelKeys(name)]) {
      const ratio = ratios[`${tier}:${key}`]
      if (ratio !== undefined) return ratio
    }
  return null
}

/** What a call asked for and what the site asks for it. */
export interface AskedTier {
  readonly tier: string
  readonly ratio: number
}

/**
 * Returns the factor that an answer is charged with. The tier that served it decides, as far as the answer tells; nobody pays
 * for a dearer one than he asked for.
 */
export function servedRatio(asked: AskedTier, told: string | undefined, ratioOf: RatioOf): number {
  if (told === undefined) return asked.ratio
  const served = tierOf(told)
  if (served === null) return 1
  if (served === asked.tier) return asked.ratio
  return Math.min(ratioOf(served) ?? asked.ratio, Math.max(asked.ratio, 1))
}

type RatioOf = (tier: string) => number | null

const known = new WeakMap<Price, Map<number, Price>>()

/** Returns a price multiplied by the factor of a tier; one object for each, so that its weights are computed once. */
export function atTier(price: Price, ratio: number): Price {
  if (ratio === 1) return price
  let prices = known.get(price)
  if (!prices) known.set(price, (prices = new Map()))
  let multiplied = prices.get(ratio)
  if (!multiplied) prices.set(ratio, (multiplied = { ...price, tierRatio: ratio }))
  return multiplied
}
