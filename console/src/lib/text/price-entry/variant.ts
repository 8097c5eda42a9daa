import type { ClassPrices, PriceClass, PriceEntry, PriceMode, PriceTier } from '@tollgate/contract'
import { classPrice, exact, numberOf, scheduleAt, tierOf } from '@tollgate/contract/price-formula'

/** Returns the price of a class: its own, or the one that follows from another; undefined for a class that is free. */
export function priceOf(prices: ClassPrices, name: PriceClass): number | undefined {
  const price = classPrice(exact(prices), name)
  return prices[name] ?? (price && numberOf(price))
}

/**
 * Returns the price of a class in a list: its own, or, for writing to a cache where reading from it has a price, the one that follows from
 * others.
 */
export const listedPrice = (prices: ClassPrices, name: PriceClass): number | undefined =>
  prices[name] ?? (isWrite(name) && prices.cache_read !== undefined ? priceOf(prices, name) : undefined)

const isWrite = (name: PriceClass): boolean => name === 'cache_write_5m' || name === 'cache_write_1h'

/** Properties of a call that its price depends on. */
interface VariantOf {
  readonly inputTokens: number
  /** The name of a mode; an unknown one changes nothing. */
  readonly mode?: string
  /** Unix milliseconds; without it no schedule applies. */
  readonly at?: number
}

export interface Variant {
  /** Prices before factors. */
  readonly prices: ClassPrices
  /** Factors of the mode and the schedule. */
  readonly factors: readonly number[]
  readonly tier: PriceTier | null
  readonly mode: PriceMode | undefined
  readonly schedule: string | undefined
}

/** Returns the prices that apply to such a call. */
export function variantOf(entry: PriceEntry, { inputTokens, mode: name, at }: VariantOf): Variant {
  const tier = tierOf(entry.tiers, inputTokens)
  const mode = name === undefined ? undefined : entry.modes?.find((one) => one.name === name)
  const schedule = at === undefined ? undefined : scheduleAt(entry.schedules ?? [], at)
  return {
    prices: { ...entry.prices, ...tier?.prices, ...mode?.prices, ...tierOf(mode?.tiers, inputTokens)?.prices },
    factors: [mode?.factor ?? 1, schedule?.factor ?? 1],
    tier,
    mode,
    schedule: schedule?.name,
  }
}

/** Returns where the tiers of an entry and of one of its modes begin, ascending. */
export function tierBounds(entry: PriceEntry, mode?: PriceMode): number[] {
  const bounds = [...(entry.tiers ?? []), ...(mode?.tiers ?? [])].map(({ above }) => above)
  return [...new Set(bounds)].toSorted((one, other) => one - other)
}

/** Returns an entry that names the price of output everywhere: where none is set it costs what input does there, as calls are charged. */
export function withOutput(entry: PriceEntry): PriceEntry {
  const { prices, tiers, modes } = entry
  if (prices.output !== undefined || prices.input === undefined || prices.per_call !== undefined) return entry
  return {
    ...entry,
    prices: withNames(prices),
    ...(tiers && { tiers: tiers.map((tier) => ({ ...tier, prices: withNames(tier.prices) })) }),
    ...(modes && {
      modes: modes.map((mode) => ({
        ...mode,
        ...(mode.prices && { prices: withNames(mode.prices) }),
        ...(mode.tiers && { tiers: mode.tiers.map((tier) => ({ ...tier, prices: withNames(tier.prices) })) }),
      })),
    }),
  }
}

const withNames = (prices: ClassPrices): ClassPrices =>
  prices.input === undefined || prices.output !== undefined ? prices : { ...prices, output: prices.input }
