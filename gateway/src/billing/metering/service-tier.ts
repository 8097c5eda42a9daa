import type { Table } from '@tollgate/contract'
import { modelKeys } from '@tollgate/models'

/**
 * Returns the factor on everything that a call of this tier costs: that of `tier:model` under the first of the model's names, otherwise
 * that of the tier. Null where the site does not sell the tier.
 */
export const tierRatio = (ratios: Table<number>, tier: string, names: readonly string[]): number | null =>
  tierKeyRatio(ratios, tier, names) ?? ratios[tier] ?? null

/** Returns the factor that is set for one model's tier only; null where none is. */
export function tierKeyRatio(ratios: Table<number>, tier: string, names: readonly string[]): number | null {
  for (const name of names)
    for (const key of [name, ...modelKeys(name)]) {
      const ratio = ratios[`${tier}:${key}`]
      if (ratio !== undefined) return ratio
    }
  return null
}
