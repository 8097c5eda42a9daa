import { decimal } from './decimal'

/** What top-ups of an amount and above bring on top: a sum, or a share of the quota that they credit. */
export interface BonusTier {
  /** In the unit of the amount that is compared with it. */
  readonly from: number
  /** Null: a share. */
  readonly quota: number | null
  /** Null: a sum. */
  readonly percent: number | null
  readonly is_once: boolean
}

/** Returns a share of a quota in percent, rounded down. */
export function percentOf(quota: number, percent: number): number {
  const { digits, places } = decimal(percent)
  return Number((BigInt(quota) * digits) / (100n * 10n ** BigInt(places)))
}

/**
 * Returns the tier that counts for an amount: the one with the largest amount that it reaches, of two with the same amount the one that a
 * user gets once.
 */
export function bonusTierOf<Tier extends BonusTier>(amount: number, tiers: readonly Tier[]): Tier | undefined {
  let best: Tier | undefined
  for (const tier of tiers) {
    if (tier.from > amount) continue
    if (!best || tier.from > best.from || (tier.from === best.from && tier.is_once)) best = tier
  }
  return best
}

/** Returns the quota that a tier adds to a top-up that credits `quota`. */
export const bonusOf = ({ quota: sum, percent }: Pick<BonusTier, 'quota' | 'percent'>, quota: number): number =>
  sum ?? percentOf(quota, percent ?? 0)
