import { dialects, type DialectId } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import type { HoldRange } from '../../billing/ledger/ledger'
import { estimateQuota, maxPromptTokens, minHold } from '../../billing/pricing/hold'
import type { PinnedPrice } from '../../billing/pricing/price'
import { candidatePricesOf, type CandidatePrices } from '../pricing/candidate-prices'
import { outputCap, refuseBeyondCaps, withinPriceCaps } from '../admission/caps'
import type { Caller, ModelCall } from '../call'
import { pinCallPrice } from '../pricing/call-price'
import { maxSearches, searchedPromptTokens } from '../admission/searches'
import type { CallView } from '../admission/call-view'
import { servingServers } from '../admission/remote-servers'
import { billedModel, candidatesOf } from './route'

/** What a call may cost. */
export interface Quote {
  /** The name it is billed under, without the prefix of a channel. */
  readonly model: string
  readonly prices: CandidatePrices
  /**
   * Quota to hold: what the maxOutput prompt and the largest response cost at the highest price of the channels that may serve it. A balance
   * that cannot pay for a prompt longer than its body is held whole, so that calls whose cost is unknown follow one another.
   */
  readonly holdRange: HoldRange
  /** What the largest response costs where the prompt is what its body shows. */
  readonly shown: number
  /** The caller set no limit, so a balance that cannot pay the largest response may pay for a shorter one. */
  readonly isFlexible: boolean
  /** The service tier that the caller requests, sold or not; null: the standard one. */
  readonly requestedServiceTier: string | null
  /** The service tier that is requested and sold; null: the standard one. */
  readonly serviceTier: string | null
  /** What a thousand searches cost that are run here; null: none are for this call. */
  readonly searchPrice: number | null
  /** The most of them. */
  readonly maxSearches: number
  readonly dialect: DialectId
  /** When the call began, for prices that depend on the hour. */
  readonly unixMs: number
}

/** What a quote is based on. */
export interface QuoteInput {
  readonly caller: Caller
  readonly body: ParsedBody
  readonly view: CallView
}

/**
 * Returns what a call may cost.
 * @throws AppError `model.unpriced` when no channel has a price for it; `model.unknown`, `route.no_channel`, `endpoint.unsupported` when
 * no channel serves it; of the `cap.` family.
 */
export function quoteOf(call: ModelCall, { caller, body, view }: QuoteInput, unixMs: number): Quote {
  const { dialect, catalog, endpoint } = call
  const model = billedModel({ caller, catalog, model: view.model, mode: endpoint.mode })
  const canServe = servingServers({ call, body, view })
  if (canServe && !candidatesOf({ caller, catalog, model: view.model }).some(canServe))
    throw new AppError('request.remote_servers', { params: { model } })
  const requestedServiceTier = dialects[dialect].serviceTier?.read(body.json) ?? null
  const prices = candidatePricesOf({ model, called: view.model, caller }, catalog)
  const hasLength = view.recording !== undefined
  if (!prices.isChargeable && !(hasLength && prices.all.length > 0))
    throw new AppError('model.unpriced', { params: { model } })
  const { options } = catalog
  const { maxOutputTokens, promptTokens, choices } = view
  const isLimited = maxOutputTokens !== null
  refuseBeyondCaps(caller.caps, view)
  const cap = outputCap(caller.caps, view) ?? Infinity
  const serviceTier =
    requestedServiceTier !== null && isSold(prices, dialect, requestedServiceTier) ? requestedServiceTier : null
  const searches = maxSearches({ call, caller, body, view })
  let [max, shown, min, maxOutput] = [0, 0, 0, 0]
  for (const candidate of prices.all) {
    const { upstreamModel, cachesByDefault, alwaysSearches } = candidate
    const priced = { view, unixMs, serviceTier, dialect, upstreamModel, cachesByDefault, alwaysSearches }
    const price = pinCallPrice(candidate.price, priced)
    const output = (maxOutputTokens ?? Math.min(candidate.maxOutputTokens, cap)) * choices
    maxOutput = Math.max(maxOutput, output)
    shown = Math.max(shown, estimateQuota(price, promptTokens, output))
    const maxInputTokens = maxPromptTokens(view, { window: candidate.maxPromptTokens, bytes: body.text.length })
    if (maxInputTokens > promptTokens) max = Math.max(max, estimateQuota(withAllTools(price), maxInputTokens, output))
    if (searches > 0) {
      const searched = pinCallPrice(candidate.price.forSearches(options.WebSearchPrice), priced)
      max = Math.max(max, searchedQuota(searched, promptTokens, { searches, output }))
    }
    if (view.maxPages !== undefined)
      max = Math.max(max, estimateQuota({ ...price, units: { images: view.maxPages } }, promptTokens, output))
    if (maxOutputTokens === null) min = Math.max(min, minHold(price, promptTokens, choices, options.PreConsumedQuota))
  }
  shown = Math.max(shown, min)
  const isFlexible = !isLimited && options.LowerMaxTokensEnabled && min < shown
  const tokens = { prompt: promptTokens, completion: maxOutput }
  const holdRange = withinPriceCaps(caller.caps, holdRangeOf({ max, shown, min: isFlexible ? min : shown }, tokens))
  const searchPrice = searches > 0 ? options.WebSearchPrice : null
  return {
    model,
    prices,
    holdRange,
    shown,
    isFlexible,
    requestedServiceTier,
    serviceTier,
    searchPrice,
    maxSearches: searches,
    dialect,
    unixMs,
  }
}

/** Returns what a call may cost whose searches are run here: each round reads what was said and found before, and all share the limit of the output. */
function searchedQuota(price: PinnedPrice, promptTokens: number, max: { searches: number; output: number }): number {
  const tools = { ...price.possible.maxToolCalls, webSearch: max.searches }
  const searched = { ...price, possible: { ...price.possible, tools } }
  return estimateQuota(searched, searchedPromptTokens(promptTokens, max.searches), max.output)
}

const withAllTools = (price: PinnedPrice): PinnedPrice => ({
  ...price,
  possible: { ...price.possible, tools: price.possible.maxToolCalls },
})

const holdRangeOf = (
  { max, shown, min }: { readonly max: number; readonly shown: number; readonly min: number },
  tokens: HoldRange['tokens'],
): HoldRange => (max > shown ? { max, min, fair: max, tokens } : { max: shown, min, tokens })

/** Returns whether the site sells the tier at every price that the call may have. */
function isSold({ all }: CandidatePrices, dialect: DialectId, serviceTier: string): boolean {
  const field = dialects[dialect].serviceTier?.reportedIn
  return field !== undefined && all.every(({ price }) => price.hasMode(field, serviceTier))
}
