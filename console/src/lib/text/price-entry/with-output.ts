import type { ClassPrices, PriceEntry } from '@tollgate/contract'

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
