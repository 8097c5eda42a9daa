import { quotient, ratioBase } from '@tollgate/contract/price-formula'
import {
  catalogPriceOf,
  familyPriceOf,
  marketsOf,
  ratioClasses,
  vendorPriceOf,
  type ClassPrices,
  type ClassRatios,
  type Market,
  type PriceEntry,
  type PriceMode,
  type PriceTier,
  type RatioClass,
  type VendorPrice,
} from '@tollgate/models'

import { classRatiosOf, overlay } from './overlay'
import {
  callPrices,
  defaultAudioCompletionRatio,
  defaultAudioRatio,
  defaultCacheRatio,
  freeModels,
  imagePrices,
  legacyCompletionRatios,
  legacyModelRatios,
} from './shipped-prices'

/** Ratio 1 is 2 US dollars for a million tokens. */
export const dollarsOfRatio = 2

/** Where a model is bought, and what yuan are worth. */
export interface ListTerms {
  /** Yuan for one US dollar. */
  readonly yuanRate: number
  /** Null: in no particular market. */
  readonly market: Market | null
}

/**
 * Returns what a model costs where the operator set nothing, in US dollars: by the prices of the market it is bought in, which the general
 * list completes in proportion; otherwise by the general list, by the vendor that sells it, or by the ratios kept for retired models.
 */
export function listEntry(name: string, { yuanRate, market }: ListTerms): PriceEntry | null {
  const perCall = callPrices.get(name)
  if (perCall !== undefined) return withoutInheritance({ prices: { per_call: perCall } })
  const imagePrice = imagePrices.get(name)
  if (imagePrice) return withoutInheritance(imagePrice)
  const catalog = catalogPriceOf(name)
  const listed = catalog && withoutZeroOutput(catalog)
  const own = marketPrice(name, market)
  if (own) {
    const entry = inDollars(own, yuanRate)
    return withoutInheritance(listed && isCountable(listed) ? overlay(entry, listed) : entry)
  }
  if (listed && isCountable(listed)) return withoutInheritance(listed)
  const sold = soldAnywhere(name)
  if (sold) return withoutInheritance(inDollars(sold, yuanRate))
  const legacyRatio = legacyModelRatios.get(name) ?? (freeModels.has(name) ? 0 : undefined)
  if (legacyRatio !== undefined) return withoutInheritance({ prices: { input: legacyRatio * dollarsOfRatio } })
  return listed && withoutInheritance(listed)
}

/** Returns the vendor's price that the list price of a model is made of; null: the general list's, or none. */
export function listSource(name: string, market: Market | null): VendorPrice | null {
  if (callPrices.has(name) || imagePrices.has(name)) return null
  return marketPrice(name, market) ?? (catalogPriceOf(name) ? null : soldAnywhere(name))
}

function marketPrice(name: string, market: Market | null): VendorPrice | null {
  const found = market && vendorPriceOf(market, name)
  return found && found.confidence !== 'low' ? found : null
}

const soldAnywhere = (name: string): VendorPrice | null =>
  marketsOf(name).find(({ confidence, entry }) => confidence !== 'low' && costsAnything(entry)) ?? null

/** A vendor that gives a model away says nothing about other hosts. */
const costsAnything = ({ prices }: PriceEntry): boolean => Object.values(prices).some((price) => price > 0)

/** A price in units that no endpoint counts comes last. */
const isCountable = ({ prices }: PriceEntry): boolean =>
  [prices.input, prices.per_call, prices.per_image, prices.per_character, prices.per_second].some(
    (price) => price !== undefined,
  )

/** The tiers, modes and schedules of another model do not apply to a model that is listed itself. */
const withoutInheritance = (entry: PriceEntry): PriceEntry => ({ tiers: [], modes: [], schedules: [], ...entry })

/** Lists have 0 for what a model does not produce, such as the text of an embedding. */
function withoutZeroOutput(entry: PriceEntry): PriceEntry {
  const { output, ...prices } = entry.prices
  return output === 0 && prices.input ? { ...entry, prices } : entry
}

/** Returns how the classes of a model relate to its input where no list tells: by its name. Without any price. */
export function legacyRatios(name: string): PriceEntry {
  const ratios: Partial<Record<RatioClass, number>> = {}
  const set = (ratioClass: RatioClass, ratio: number | undefined) => {
    if (ratio !== undefined) ratios[ratioClass] = ratio
  }
  set('output', legacyCompletionRatios.get(name))
  set('cache_read', defaultCacheRatio(name))
  set('audio_in', defaultAudioRatio(name))
  set('audio_out', defaultAudioCompletionRatio(name))
  return { prices: {}, ratios }
}

/** Returns the same for the closest relative of a model that is not listed itself; null where there is none. */
export function familyRatios(name: string): PriceEntry | null {
  if (catalogPriceOf(name) || marketsOf(name).length > 0 || name.includes('/')) return null
  const relative = familyPriceOf(name)
  return relative && classRatiosOf(withoutZeroOutput(relative))
}

/**
 * Returns a vendor's price in US dollars. `yuanRate`: yuan for one US dollar. Classes beside the input are ratios to it where those are
 * exact and the dollars may not be: 30 and 90 yuan have a ratio of 3 at any rate.
 */
export function inDollars({ currency, entry }: Pick<VendorPrice, 'currency' | 'entry'>, yuanRate: number): PriceEntry {
  if (currency === 'USD') return entry
  const convertPrices = (prices: ClassPrices): ClassPrices =>
    Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, quotient(price, yuanRate)]))
  const tierIn = ({ prices, ...tier }: PriceTier): PriceTier => ({ ...tier, prices: convertPrices(prices) })
  const modeIn = ({ prices, tiers, ...mode }: PriceMode): PriceMode => ({
    ...mode,
    ...(prices && { prices: convertPrices(prices) }),
    ...(tiers && { tiers: tiers.map(tierIn) }),
  })
  const { prices, tiers, modes, ...others } = entry
  return {
    ...others,
    ...withRatios(prices, convertPrices(prices)),
    ...(tiers && { tiers: tiers.map(tierIn) }),
    ...(modes && { modes: modes.map(modeIn) }),
  }
}

function withRatios(yuan: ClassPrices, dollars: ClassPrices): Pick<PriceEntry, 'prices' | 'ratios'> {
  const prices: { -readonly [Class in keyof ClassPrices]: ClassPrices[Class] } = { ...dollars }
  const ratios: { -readonly [Class in keyof ClassRatios]: number } = {}
  for (const name of ratioClasses) {
    const [price, base] = [yuan[name], yuan[ratioBase(name)] ?? yuan.input]
    if (price === undefined || !base || name === 'audio_in') continue
    const ratio = quotient(price, base)
    if (!isExact(ratio)) continue
    ratios[name] = ratio
    delete prices[name]
  }
  return { prices, ...(Object.keys(ratios).length > 0 && { ratios }) }
}

/** Fewer digits than `quotient` gives. */
const isExact = (ratio: number): boolean => Number(ratio.toPrecision(9)) === ratio
