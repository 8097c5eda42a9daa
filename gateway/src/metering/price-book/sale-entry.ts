import {
  tokenClasses,
  toolClasses,
  unitClasses,
  type ClassPrices,
  type PriceClass,
  type PriceEntry,
  type PriceMode,
  type PriceTier,
} from '@tollgate/models'

import { isPriced } from './class-prices'

/**
 * Returns what a model is sold at: what the operator's own entry tells, and of the list's what it does not. Where both tell a
 * price of input, the list's prices of tokens are taken in proportion to it, in tiers and modes too. An own price by call or
 * by tokens leaves nothing of a list price of the other kind but tools. Null when neither says enough to charge a call.
 */
export function saleEntry(own: PriceEntry | null, list: PriceEntry | null): PriceEntry | null {
  const entry = own && list ? merged(own, list) : (own ?? list)
  return entry && isPriced(entry.prices) ? entry : null
}

function merged(own: PriceEntry, list: PriceEntry): PriceEntry {
  const adapt = isPriced(own.prices) && !isSameKind(own.prices, list.prices) ? onlyTools : inProportion(own, list)
  const tiers = own.tiers ?? list.tiers?.map((tier) => tierWith(tier, adapt))
  const modes = own.modes ?? list.modes?.map((mode) => modeWith(mode, adapt))
  const schedules = own.schedules ?? list.schedules
  return {
    prices: { ...adapt(list.prices), ...own.prices },
    ...(tiers && { tiers }),
    ...(modes && { modes }),
    ...(schedules && { schedules }),
  }
}

type Adapt = (prices: ClassPrices) => ClassPrices

/** By call, by tokens, or by a unit. */
const isSameKind = (own: ClassPrices, list: ClassPrices): boolean =>
  [...unitClasses, 'input' as const].every((name) => own[name] === undefined || list[name] !== undefined) &&
  (own.per_call !== undefined) === (list.per_call !== undefined)

const onlyTools: Adapt = (prices) => picked(prices, toolClasses)

function inProportion(own: PriceEntry, list: PriceEntry): Adapt {
  const [ours, theirs] = [own.prices.input, list.prices.input]
  if (ours === undefined || ours === theirs) return (prices) => prices
  // There is no proportion to nothing, and prices of 0 would sell the rest for free.
  if (theirs === undefined || theirs === 0) return (prices) => picked(prices, [...unitClasses, ...toolClasses])
  return (prices) => {
    const next: Partial<Record<PriceClass, number>> = { ...prices }
    for (const name of tokenClasses) {
      const price = prices[name]
      if (price !== undefined) next[name] = Number(((price * ours) / theirs).toPrecision(12))
    }
    return next
  }
}

const picked = (prices: ClassPrices, names: readonly PriceClass[]): ClassPrices =>
  Object.fromEntries(names.flatMap((name) => (prices[name] === undefined ? [] : [[name, prices[name]]])))

const tierWith = (tier: PriceTier, adapt: Adapt): PriceTier => ({ ...tier, prices: adapt(tier.prices) })

const modeWith = ({ prices, tiers, ...mode }: PriceMode, adapt: Adapt): PriceMode => ({
  ...mode,
  ...(prices && { prices: adapt(prices) }),
  ...(tiers && { tiers: tiers.map((tier) => tierWith(tier, adapt)) }),
})
