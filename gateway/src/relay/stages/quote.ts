import { dialects, type DialectId } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import type { Want } from '../../billing/ledger/lease/want'
import { estimateQuota, smallestHold } from '../../billing/metering/estimate'
import type { PinnedPrice } from '../../billing/metering/price-book/charge'
import { longestPrompt } from '../../billing/metering/longest-prompt'
import { knowsMode } from '../../billing/metering/price-book/variant'
import { offersOf, type Offers } from '../pricing/offers'
import type { Caller, ModelCall } from '../call'
import { pinPrice } from '../pricing/pin-price'
import type { CallView } from '../admission/call-view'
import { billedModel } from './route'

/** What a call may cost. */
export interface Quote {
  /** The name it is billed under, without the prefix of a channel. */
  readonly model: string
  readonly offers: Offers
  /**
   * Quota to hold: what the longest prompt and the largest response cost at the highest price of the channels that may serve it. A balance
   * that cannot pay for a prompt longer than its body is held whole, so that calls whose cost is unknown follow one another.
   */
  readonly want: Want
  /** What the largest response costs where the prompt is what its body shows. */
  readonly shown: number
  /** The caller set no limit, so a balance that cannot pay the largest response may pay for a shorter one. */
  readonly isFlexible: boolean
  /** The service tier that the caller requests, sold or not; null: the standard one. */
  readonly requestedTier: string | null
  /** The service tier that is requested and sold; null: the standard one. */
  readonly tier: string | null
  readonly dialect: DialectId
  /** When the call began, for prices that depend on the hour. */
  readonly unixMs: number
}

/** What a quote is based on. */
interface QuoteInput {
  readonly caller: Caller
  readonly body: ParsedBody
  readonly view: CallView
}

/**
 * Returns what a call may cost.
 * @throws AppError `model.unpriced` when no channel has a price for it; `model.unknown`, `route.no_channel`, `endpoint.unsupported` when
 * no channel serves it.
 */
export function quoteOf(
  { dialect, endpoint: { mode }, catalog }: ModelCall,
  { caller, body, view }: QuoteInput,
  unixMs: number,
): Quote {
  const model = billedModel({ caller, catalog, model: view.model, mode })
  const requestedTier = dialects[dialect].tier?.read(body.json) ?? null
  const offers = offersOf({ model, called: view.model, caller }, catalog)
  const hasLength = view.recording !== undefined
  if (!offers.isChargeable && !(hasLength && offers.all.length > 0))
    throw new AppError('model.unpriced', { params: { model } })
  const { options } = catalog
  const { maxOutputTokens, promptTokens, choices } = view
  const isLimited = maxOutputTokens !== null
  const tier = requestedTier !== null && isSold(offers, dialect, requestedTier) ? requestedTier : null
  let [most, shown, least] = [0, 0, 0]
  for (const offer of offers.all) {
    const { upstreamModel, cachesByDefault, alwaysSearches } = offer
    const call = { view, unixMs, tier, dialect, upstreamModel, cachesByDefault, alwaysSearches }
    const price = pinPrice(offer.price, call)
    const output = (maxOutputTokens ?? offer.outputTokens) * choices
    shown = Math.max(shown, estimateQuota(price, promptTokens, output))
    const longest = longestPrompt(view, { window: offer.promptTokens, bytes: body.text.length })
    if (longest > promptTokens) most = Math.max(most, estimateQuota(withAllTools(price), longest, output))
    if (view.maxPages !== undefined)
      most = Math.max(most, estimateQuota({ ...price, units: { images: view.maxPages } }, promptTokens, output))
    if (maxOutputTokens === null)
      least = Math.max(least, smallestHold(price, promptTokens, choices, options.PreConsumedQuota))
  }
  shown = Math.max(shown, least)
  const isFlexible = !isLimited && options.LowerMaxTokensEnabled && least < shown
  const want = wanted({ most, shown, least: isFlexible ? least : shown })
  return { model, offers, want, shown, isFlexible, requestedTier, tier, dialect, unixMs }
}

const withAllTools = (price: PinnedPrice): PinnedPrice => ({
  ...price,
  possible: { ...price.possible, tools: price.possible.toolsAtMost },
})

const wanted = ({ most, shown, least }: { most: number; shown: number; least: number }): Want =>
  most > shown ? { most, least, fair: most } : { most: shown, least }

/** Returns whether the site sells the tier at every price that the call may have. */
function isSold({ all }: Offers, dialect: DialectId, tier: string): boolean {
  const field = dialects[dialect].tier?.reportedIn
  return field !== undefined && all.every(({ price }) => knowsMode(price, field, tier))
}
