import {
  dialects,
  plainUse,
  serviceTierOf,
  type DialectId,
  type ImageFormat,
  type PossibleUse,
  type TranslatedCall,
  type Usage,
  type UsageDetails,
} from '@tollgate/dialects'

import { noUnits, type Units } from '../../billing/pricing/amounts'
import type { PinnedPrice, PossibleMedia, Price } from '../../billing/pricing/price'
import type { ChannelCost } from '../../billing/pricing/prices'
import { reportedStandardMode, standardMode, standardModeName, type ServingMode } from '../../billing/pricing/variant'
import { maxMediaTokens } from '../../billing/metering/media/media-tokens'
import { mediaEstimate } from '../../billing/metering/tokens'
import type { Prepared } from '../../channels/calls/prepare'
import type { Choice } from '../../channels/catalog/catalog'
import { AppError } from '../../platform/app-error'
import type { CallView } from '../admission/call-view'
import type { CandidatePrices } from './candidate-prices'

/** The facts about a call that decide its price. */
export interface PricedCall {
  readonly view: CallView
  /** When the call began, for schedules. */
  readonly unixMs: number
  /** The tier that is requested and sold, null for the standard one; and in which dialect. */
  readonly serviceTier: string | null
  readonly dialect: DialectId
  /** The vendor may write to its cache by default, and has a price for it. */
  readonly cachesByDefault?: boolean
  /** The model searches the web for every response. */
  readonly alwaysSearches?: boolean
  /** The upstream's name for the model. */
  readonly upstreamModel: string
}

/** Returns a price as it applies to one call. */
export function pinCallPrice(price: Price, call: PricedCall): PinnedPrice {
  const { view, unixMs, serviceTier, dialect, cachesByDefault = false, alwaysSearches = false } = call
  const searched = alwaysSearches ? withSearch(view.possible) : view.possible
  const possible = cachesByDefault ? withCacheWrites(searched) : searched
  const media = mediaOf(call)
  const ofTier = withImageFormat(price, requestedModeOf(dialect, serviceTier), view.image)
  const requested = view.batchedAt !== undefined ? { ...ofTier, batch: 'true' } : ofTier
  return price.pin({ unixMs, requested, units: unitsOf(price, view), possible, media })
}

const mediaOf = ({ view: { media, prompt }, upstreamModel }: PricedCall): PossibleMedia | null =>
  media && { ...maxMediaTokens(media, upstreamModel), counted: mediaEstimate(prompt) }

const plainUseCached: PossibleUse = Object.freeze({ ...plainUse, cacheMarks: '5m' })

function withCacheWrites(possible: PossibleUse): PossibleUse {
  if (possible === plainUse) return plainUseCached
  return possible.cacheMarks === null ? { ...possible, cacheMarks: '5m' } : possible
}

const withSearch = (possible: PossibleUse): PossibleUse => ({
  ...possible,
  tools: { webSearch: 1, ...possible.tools },
  maxToolCalls: { webSearch: 1, ...possible.maxToolCalls },
})

function requestedModeOf(dialect: DialectId, serviceTier: string | null): ServingMode {
  const field = serviceTier === null ? undefined : dialects[dialect].serviceTier?.reportedIn
  return field === undefined || serviceTier === null ? standardMode : { [field]: serviceTier }
}

/** Adds the requested size and quality of images, where the price has modes for them. */
function withImageFormat(
  { entry: { modes = [] } }: Price,
  requested: ServingMode,
  imageFormat: ImageFormat | undefined,
): ServingMode {
  if (imageFormat === undefined || !modes.some(({ match }) => match.size !== undefined || match.quality !== undefined))
    return requested
  const { size, quality } = imageFormat
  return { ...requested, ...(size !== null && { size }), ...(quality !== null && { quality }) }
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
export function servingModeOf(details: UsageDetails | undefined, dialect: DialectId): ServingMode {
  if (details === undefined) return standardMode
  const { inference_geo: region, service_tier: reportedServiceTier, image_size: size, image_quality: quality } = details
  const field = dialects[dialect].serviceTier?.reportedIn
  const name = field === undefined ? undefined : details[field]
  // Most responses name the standard tier, which needs no look at the price.
  const isStandard = name === undefined || plainTiers.has(name)
  if (
    isStandard &&
    region === undefined &&
    reportedServiceTier !== batchServiceTier &&
    size === undefined &&
    quality === undefined
  )
    return name === undefined ? standardMode : reportedStandardMode[field ?? 'speed']
  return {
    ...(field !== undefined &&
      name !== undefined &&
      name !== batchServiceTier && { [field]: serviceTierOf(name) ?? standardModeName }),
    ...(reportedServiceTier === batchServiceTier && { batch: 'true' }),
    ...(region !== undefined && { region: region.toLowerCase() }),
    ...(size !== undefined && { size }),
    ...(quality !== undefined && { quality }),
  }
}

/** Returns the usage with the tier that the headers of a response report, where its body reports none. */
export function withReportedTier(usage: Usage, headers: Pick<Headers, 'get'>, dialect: DialectId): Usage {
  const { reportedHeader } = dialects[dialect].serviceTier ?? {}
  if (reportedHeader === undefined || usage.details?.service_tier !== undefined) return usage
  const tier = headers.get(reportedHeader)?.trim().toLowerCase() ?? ''
  return /^[a-z_]{1,32}$/.test(tier) ? { ...usage, details: { ...usage.details, service_tier: tier } } : usage
}

const batchServiceTier = 'batch'
const plainTiers: ReadonlySet<string> = new Set(['default', 'standard'])

/** A call that a channel serves, as far as its price goes. */
interface ServedCall {
  readonly view: CallView
  readonly quote: {
    readonly model: string
    readonly prices: CandidatePrices
    /** The tier that is requested and sold; null: the standard one. */
    readonly serviceTier: string | null
    readonly unixMs: number
    /** What a thousand searches cost that are run here; null: none are for this call. */
    readonly searchPrice?: number | null
  }
}

/** What of a prepared request its price depends on. */
type Terms = Pick<Prepared, 'serviceTier' | 'upstreamModel'> & {
  readonly translated?: Pick<TranslatedCall, 'round'> | undefined
  readonly description: Pick<Prepared['description'], 'dialect'>
}

/**
 * Returns the price of the channel that serves, as it was when the call began: channels may give one name to models of different prices.
 * @throws AppError `model.unpriced`; such channels are not tried.
 */
export function servingPrice(call: ServedCall, { channel }: Pick<Choice, 'channel'>, prepared: Terms): PinnedPrice {
  const { quote } = call
  const price = quote.prices.priceAt(channel)
  if (price === null) throw new AppError('model.unpriced', { params: { model: quote.model } })
  const { searchPrice = null } = quote
  const isSearched = prepared.translated?.round !== undefined && searchPrice !== null
  return pinCallPrice(isSearched ? price.forSearches(searchPrice) : price, pricedCall(call, prepared))
}

/** What the channel's vendor charges, pinned in the same way. */
export interface ServingCost {
  readonly pinned: PinnedPrice
  readonly kind: ChannelCost['kind']
}

/** Returns what the channel that serves charges; null when that is not known. */
export function servingCost(
  call: ServedCall,
  { channel }: Pick<Choice, 'channel'>,
  prepared: Terms,
): ServingCost | null {
  const cost = call.quote.prices.costAt(channel)
  if (cost === null) return null
  const priced = pricedCall(call, prepared)
  return { pinned: pinCallPrice(cost.price, isBatchedHere(priced) ? asVendorSees(priced) : priced), kind: cost.kind }
}

/** The vendor sees a call like any other, unless it makes the batch itself. */
const isBatchedHere = ({ view }: PricedCall): boolean => view.batchedAt === 'here'

function asVendorSees(priced: PricedCall): PricedCall {
  const { batchedAt: _, ...view } = priced.view
  return { ...priced, view }
}

const pricedCall = ({ quote, view }: ServedCall, prepared: Terms): PricedCall => ({
  view,
  unixMs: quote.unixMs,
  serviceTier: quote.serviceTier === null ? null : prepared.serviceTier,
  dialect: prepared.description.dialect,
  upstreamModel: prepared.upstreamModel,
})
