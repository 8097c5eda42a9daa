import {
  catalogPriceOf,
  familyPriceOf,
  marketsOf,
  vendorPriceOf,
  type Market,
  type PriceEntry,
  type RatioClass,
  type VendorPrice,
} from '@tollgate/models'

import { keptCompletionRatios } from '../defaults/completion-ratios'
import { defaultFixedPrices } from '../defaults/fixed-prices'
import { freeModels } from '../defaults/free-models'
import { keptModelRatios } from '../defaults/kept-ratios'
import { picturePrices } from '../defaults/picture-prices'
import { defaultAudioCompletionRatio, defaultAudioRatio, defaultCacheRatio } from '../defaults/media-ratios'
import { inDollars } from './in-dollars'
import { overlaid, relationsOf } from './sale-entry'

/** Ratio 1 is 2 US dollars for a million tokens. */
export const dollarsOfRatio = 2

const keptRatios = new Map(Object.entries(keptModelRatios))
const pictures = new Map(Object.entries(picturePrices))
const fixedPrices = new Map(Object.entries(defaultFixedPrices))

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
  const perCall = fixedPrices.get(name)
  if (perCall !== undefined) return closed({ prices: { per_call: perCall } })
  const picture = pictures.get(name)
  if (picture) return closed(picture)
  const catalog = catalogPriceOf(name)
  const listed = catalog && written(catalog)
  const own = marketPrice(name, market)
  if (own) {
    const entry = inDollars(own, yuanRate)
    return closed(listed && isCountable(listed) ? overlaid(entry, listed) : entry)
  }
  if (listed && isCountable(listed)) return closed(listed)
  const sold = soldAnywhere(name)
  if (sold) return closed(inDollars(sold, yuanRate))
  const kept = keptRatios.get(name) ?? (freeModels.has(name) ? 0 : undefined)
  if (kept !== undefined) return closed({ prices: { input: kept * dollarsOfRatio } })
  return listed && closed(listed)
}

/** Returns the vendor's price that the list price of a model is made of; null: the general list's, or none. */
export function listSource(name: string, market: Market | null): VendorPrice | null {
  if (fixedPrices.has(name) || pictures.has(name)) return null
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
const closed = (entry: PriceEntry): PriceEntry => ({ tiers: [], modes: [], schedules: [], ...entry })

/** Lists have 0 for what a model does not produce, such as the text of an embedding. */
function written(entry: PriceEntry): PriceEntry {
  const { output, ...prices } = entry.prices
  return output === 0 && prices.input ? { ...entry, prices } : entry
}

/** Returns how the classes of a model relate to its input where no list tells: by its name. Without any price. */
export function keptRelations(name: string): PriceEntry {
  const ratios: Partial<Record<RatioClass, number>> = {}
  const set = (ratioClass: RatioClass, ratio: number | undefined) => {
    if (ratio !== undefined) ratios[ratioClass] = ratio
  }
  set('output', keptCompletionRatios.get(name))
  set('cache_read', defaultCacheRatio(name))
  set('audio_in', defaultAudioRatio(name))
  set('audio_out', defaultAudioCompletionRatio(name))
  return { prices: {}, ratios }
}

/** Returns the same for the closest relative of a model that is not listed itself; null where there is none. */
export function familyRelations(name: string): PriceEntry | null {
  if (catalogPriceOf(name) || marketsOf(name).length > 0 || name.includes('/')) return null
  const relative = familyPriceOf(name)
  return relative && relationsOf(written(relative))
}
