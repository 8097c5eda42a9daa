import { fullPrices, numberOf, entryPrices } from '@tollgate/contract/price-formula'
import { tokenClasses, type PriceClass, type PriceEntry } from '@tollgate/models'

const followers: ReadonlySet<string> = new Set(tokenClasses)

/** Returns what a class costs by an entry, set or following from another class; null where nothing is charged for it. */
export function effectivePrice(entry: PriceEntry, name: PriceClass): number | null {
  const own = entry.prices[name]
  if (own !== undefined || !followers.has(name) || entry.prices.input === undefined) return own ?? null
  return numberOf(fullPrices(entryPrices(entry))[name])
}

/** A new tier replaces the one below it. */
export function tierPrice(entry: PriceEntry, above: number, name: PriceClass): number | null {
  const reached = (entry.tiers ?? []).filter((tier) => tier.above <= above).toSorted((a, b) => b.above - a.above)[0]
  return effectivePrice({ ...entry, prices: { ...entry.prices, ...reached?.prices } }, name)
}

/** Returns the primary unit that a call is billed by. */
export function billingOf({ prices }: PriceEntry): string {
  const kinds = ['per_call', 'input', 'per_image', 'per_second', 'per_character'] as const
  const found = kinds.find((name) => prices[name] !== undefined) ?? 'per_call'
  return found === 'input' ? 'tokens' : found
}
