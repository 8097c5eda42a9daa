import type { PriceTier } from '../price-entry'

/** Returns the highest tier that the input exceeds; null below all of them. */
export function tierOf(tiers: readonly PriceTier[] = [], inputTokens: number): PriceTier | null {
  let highest: PriceTier | null = null
  for (const tier of tiers)
    if (inputTokens > tier.above && (highest === null || tier.above > highest.above)) highest = tier
  return highest
}
