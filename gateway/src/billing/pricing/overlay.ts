import { derivedFrom, isPriced, quotient, ratioBase } from '@tollgate/contract/price-formula'
import {
  ratioClasses,
  tokenClasses,
  toolClasses,
  unitClasses,
  type ClassPrices,
  type PriceClass,
  type PriceEntry,
  type PriceMode,
  type PriceTier,
  type RatioClass,
} from '@tollgate/models'

/**
 * Returns an entry laid over another, class by class. Where both have a price of input, the lower one's token prices are scaled in
 * proportion to it, in tiers and modes too. A price by call or by tokens replaces a lower price of the other kind entirely, except for
 * tools.
 */
export function overlay(top: PriceEntry, bottom: PriceEntry): PriceEntry {
  const isOther = isPriced(top.prices) && !isSameKind(top.prices, bottom.prices)
  const lower = isOther ? { prices: pickPrices(bottom.prices, toolClasses), ratios: {} } : inheritedPrices(bottom, top)
  const adapt = isOther ? onlyTools : inProportion(top, bottom)
  const ratios = { ...lower.ratios, ...top.ratios }
  const tiers = top.tiers ?? bottom.tiers?.map((tier) => tierWith(tier, adapt))
  const modes = top.modes ?? bottom.modes?.map((mode) => modeWith(mode, adapt))
  const schedules = top.schedules ?? bottom.schedules
  return {
    prices: { ...lower.prices, ...top.prices },
    ...(Object.keys(ratios).length > 0 && { ratios }),
    ...(tiers && { tiers }),
    ...(modes && { modes }),
    ...(schedules && { schedules }),
  }
}

/** Returns how the classes of an entry relate to its input, without any price; null where it has no price of input. */
export function classRatiosOf({ prices, ratios = {} }: PriceEntry): PriceEntry | null {
  if (!prices.input) return null
  const found: Partial<Record<RatioClass, number>> = { ...ratios }
  for (const name of ratioClasses) {
    const price = prices[name]
    if (price !== undefined) found[name] = ratioOf(name, price, prices)
  }
  return Object.keys(found).length > 0 ? { prices: {}, ratios: found } : null
}

type OwnPrices = Pick<PriceEntry, 'prices' | 'ratios'>
type Adapt = (prices: ClassPrices) => ClassPrices

const hasOwnPrice = ({ prices, ratios }: OwnPrices, name: PriceClass): boolean =>
  prices[name] !== undefined || ratios?.[name as RatioClass] !== undefined

/** Returns the ratio of a price to its base. */
function ratioOf(name: RatioClass, price: number, prices: ClassPrices): number | undefined {
  const base = prices[ratioBase(name)] ?? prices.input
  return base === undefined || base === 0 ? undefined : quotient(price, base)
}

/** Returns what an entry of the same kind has that the one above it does not. */
function inheritedPrices(bottom: PriceEntry, top: PriceEntry): OwnPrices {
  const prices: Partial<Record<PriceClass, number>> = pickPrices(bottom.prices, [...unitClasses, ...toolClasses])
  const ratios: Partial<Record<RatioClass, number>> = {}
  const { input } = bottom.prices
  if (input !== undefined) prices.input = input
  const hasOwnInput = top.prices.input !== undefined && top.prices.input !== input
  for (const name of ratioClasses) {
    // A class that follows another follows the upper entry.
    const { from } = derivedFrom[name]
    const isFollowing = name === 'cache_write_1h' || name === 'cache_read_audio' || from === 'output'
    if (hasOwnPrice(top, name) || (isFollowing && hasOwnPrice(top, from))) continue
    const price = bottom.prices[name]
    const ratio = bottom.ratios?.[name]
    if (price === undefined) {
      if (ratio !== undefined) ratios[name] = ratio
    } else if (hasOwnInput || hasOwnPrice(top, ratioBase(name))) {
      const relation = ratioOf(name, price, bottom.prices)
      if (relation !== undefined) ratios[name] = relation
    } else prices[name] = price
  }
  return { prices, ratios }
}

/** By call, by tokens, or by a unit. */
const isSameKind = (own: ClassPrices, list: ClassPrices): boolean =>
  !isPriced(list) ||
  ([...unitClasses, 'input' as const].every((name) => own[name] === undefined || list[name] !== undefined) &&
    (own.per_call !== undefined) === (list.per_call !== undefined))

const onlyTools: Adapt = (prices) => pickPrices(prices, toolClasses)

function inProportion(own: PriceEntry, list: PriceEntry): Adapt {
  const [ours, theirs] = [own.prices.input, list.prices.input]
  if (ours === undefined || ours === theirs) return (prices) => prices
  // There is no proportion to zero, and prices of 0 would sell the rest for free.
  if (theirs === undefined || theirs === 0) return (prices) => pickPrices(prices, [...unitClasses, ...toolClasses])
  return (prices) => {
    const next: Partial<Record<PriceClass, number>> = { ...prices }
    for (const name of tokenClasses) {
      const price = prices[name]
      if (price !== undefined) next[name] = quotient(price * ours, theirs)
    }
    return next
  }
}

const pickPrices = (prices: ClassPrices, names: readonly PriceClass[]): ClassPrices =>
  Object.fromEntries(names.flatMap((name) => (prices[name] === undefined ? [] : [[name, prices[name]]])))

const tierWith = (tier: PriceTier, adapt: Adapt): PriceTier => ({ ...tier, prices: adapt(tier.prices) })

const modeWith = ({ prices, tiers, ...mode }: PriceMode, adapt: Adapt): PriceMode => ({
  ...mode,
  ...(prices && { prices: adapt(prices) }),
  ...(tiers && { tiers: tiers.map((tier) => tierWith(tier, adapt)) }),
})
