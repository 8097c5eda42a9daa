import {
  dialects,
  plainUse,
  tierOf,
  type DialectId,
  type ImageFormat,
  type PossibleUse,
  type UsageDetails,
} from '@tollgate/dialects'

import { noUnits, type Units } from '../../billing/metering/price-book/amounts'
import { mostMediaTokens } from '../../billing/metering/media/media-tokens'
import { pinnedPrice, type PinnedPrice, type PossibleMedia } from '../../billing/metering/price-book/charge'
import type { Price } from '../../billing/metering/price-book/price'
import { asUsual, reportedUsual, usualMode, type ServedBy } from '../../billing/metering/price-book/variant'
import { mediaEstimate } from '../../billing/metering/tokens'
import type { CallView } from '../admission/call-view'

/** The facts about a call that decide its price. */
export interface CallPrice {
  readonly view: CallView
  /** When the call began, for schedules. */
  readonly unixMs: number
  /** The tier that is requested and sold, null for the standard one; and in which dialect. */
  readonly tier: string | null
  readonly dialect: DialectId
  /** The vendor may write to its cache unasked, and has a price for it. */
  readonly cachesByDefault?: boolean
  /** The model searches the web for every response. */
  readonly alwaysSearches?: boolean
  /** The upstream's name for the model. */
  readonly upstreamModel: string
}

/** Returns a price as it applies to one call. */
export function pinPrice(price: Price, call: CallPrice): PinnedPrice {
  const { view, unixMs, tier, dialect, cachesByDefault = false, alwaysSearches = false } = call
  const searched = alwaysSearches ? withSearch(view.possible) : view.possible
  const possible = cachesByDefault ? withCacheWrites(searched) : searched
  const media = mediaOf(call)
  const requested = withPicture(price, askedOf(dialect, tier), view.image)
  return pinnedPrice(price, { unixMs, requested, units: unitsOf(price, view), possible, media })
}

const mediaOf = ({ view: { media, prompt }, upstreamModel }: CallPrice): PossibleMedia | null =>
  media && { ...mostMediaTokens(media, upstreamModel), counted: mediaEstimate(prompt) }

const plainCached: PossibleUse = Object.freeze({ ...plainUse, cacheMarks: '5m' })

function withCacheWrites(possible: PossibleUse): PossibleUse {
  if (possible === plainUse) return plainCached
  return possible.cacheMarks === null ? { ...possible, cacheMarks: '5m' } : possible
}

const withSearch = (possible: PossibleUse): PossibleUse => ({
  ...possible,
  tools: { webSearch: 1, ...possible.tools },
  toolsAtMost: { webSearch: 1, ...possible.toolsAtMost },
})

function askedOf(dialect: DialectId, tier: string | null): ServedBy {
  const field = tier === null ? undefined : dialects[dialect].tier?.reportedIn
  return field === undefined || tier === null ? asUsual : { [field]: tier }
}

/** Adds the requested size and quality of images, where the price has modes for them. */
function withPicture({ entry: { modes = [] } }: Price, asked: ServedBy, picture: ImageFormat | undefined): ServedBy {
  if (picture === undefined || !modes.some(({ match }) => match.size !== undefined || match.quality !== undefined))
    return asked
  const { size, quality } = picture
  return { ...asked, ...(size !== null && { size }), ...(quality !== null && { quality }) }
}

/**
 * Returns the units to charge where a price is based on them: each choice counts as an image, and characters are those of the text
 * to be spoken, or of the prompt.
 */
function unitsOf({ entry: { prices } }: Price, { choices, prompt, spokenCharacters, recording }: CallView): Units {
  if ((prices.per_image ?? prices.per_character ?? prices.per_second) === undefined) return noUnits
  const characters = spokenCharacters ?? prompt.texts.reduce((sum, text) => sum + text.length, 0)
  return { images: choices, characters, ...(recording && { seconds: Math.ceil(recording.seconds) }) }
}

/** Returns how a response says it was served, in the vocabulary of its dialect's requests. */
export function servedBy(details: UsageDetails | undefined, dialect: DialectId): ServedBy {
  if (details === undefined) return asUsual
  const { inference_geo: place, service_tier: told, image_size: size, image_quality: quality } = details
  const field = dialects[dialect].tier?.reportedIn
  const name = field === undefined ? undefined : details[field]
  // Most responses name the standard tier, which needs no look at the price.
  const isUsual = name === undefined || plainTiers.has(name)
  if (isUsual && place === undefined && told !== batchTier && size === undefined && quality === undefined)
    return name === undefined ? asUsual : reportedUsual[field ?? 'speed']
  return {
    ...(field !== undefined && name !== undefined && name !== batchTier && { [field]: tierOf(name) ?? usualMode }),
    ...(told === batchTier && { batch: 'true' }),
    ...(place !== undefined && { region: place.toLowerCase() }),
    ...(size !== undefined && { size }),
    ...(quality !== undefined && { quality }),
  }
}

const batchTier = 'batch'
const plainTiers: ReadonlySet<string> = new Set(['default', 'standard'])
