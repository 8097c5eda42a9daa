import { dialects, type DialectId, type Mode } from '@tollgate/dialects'

import { AppError } from '../../app-error'
import type { Catalog } from '../../catalog/catalog'
import type { Want } from '../../ledger/want'
import type { Reservation } from '../../ledger/ledger'
import { affordableOutput, estimateQuota, smallestHold } from '../../metering/estimate'
import { knowsMode } from '../../metering/price-book/variant'
import { offersOf, type Offer, type Offers } from '../pricing/offers'
import type { Caller } from '../call'
import { pinPrice } from '../pricing/pin-price'
import type { CallView } from '../admission/call-view'

/** What a call may cost. */
export interface Quote {
  readonly offers: Offers
  /** Quota to hold: what the largest answer costs at the dearest of the channels that may serve it. */
  readonly want: Want
  /** The caller set no limit, so a balance that cannot pay the largest answer may pay a shorter one. */
  readonly isFlexible: boolean
  /** The service tier that is asked for and sold; null: the usual one. */
  readonly tier: string | null
  readonly dialect: DialectId
  /** When the call began, for prices that hang on hours. */
  readonly unixMs: number
}

/** Work whose result is written token by token, as many as the caller or the model allows. */
const writes = (mode: Mode): boolean => mode === 'chat' || mode === 'completions'

interface Quoted {
  /** Without a channel's prefix. */
  readonly model: string
  readonly view: CallView
  readonly mode: Mode
  /** What the caller speaks. */
  readonly dialect: DialectId
  readonly unixMs: number
  /** The service tier that is asked for; null: the usual one. */
  readonly tier: string | null
  readonly caller: Caller
  readonly catalog: Catalog
}

/**
 * Returns what a call may cost.
 * @throws AppError `model.unpriced` when no channel has a price for it.
 */
export function quoteOf({ model, view, mode, dialect, unixMs, caller, catalog, tier: wanted }: Quoted): Quote {
  const offers = offersOf({ model, called: view.model, caller }, catalog)
  if (offers.all.length === 0) throw new AppError('model.unpriced', { params: { model } })
  const { options } = catalog
  const { maxOutputTokens, promptTokens, choices } = view
  const isLimited = maxOutputTokens !== null || !writes(mode)
  const field = dialects[dialect].tier?.told
  const isSold = ({ price }: Offer) => wanted !== null && field !== undefined && knowsMode(price, field, wanted)
  const tier = offers.all.every(isSold) ? wanted : null
  let [most, least] = [0, 0]
  for (const offer of offers.all) {
    const { cachesUnasked, upstreamModel } = offer
    const price = pinPrice(offer.price, { view, unixMs, tier, dialect, cachesUnasked, upstreamModel })
    const output = writes(mode) ? (maxOutputTokens ?? offer.outputTokens) * choices : 0
    most = Math.max(most, estimateQuota(price, promptTokens, output))
    if (maxOutputTokens === null)
      least = Math.max(least, smallestHold(price, promptTokens, writes(mode) ? choices : 0, options.PreConsumedQuota))
  }
  most = Math.max(most, least)
  const isFlexible = !isLimited && options.LowerMaxTokensEnabled && least < most
  return { offers, want: { most, least: isFlexible ? least : most }, isFlexible, tier, dialect, unixMs }
}

/**
 * Returns the limit of each answer that what is held pays for; null when it pays for the largest. A stream that shows what it
 * costs may go on with all that the balance can pay: it takes more while it runs.
 */
export function loweredOutput(quote: Quote, view: CallView, reservation: Reservation): number | null {
  if (!quote.isFlexible || reservation.amount >= quote.want.most) return null
  const { all } = quote.offers
  const isSeen = view.isStream && all.every(({ hidesOutput }) => !hidesOutput)
  const budget = isSeen ? (reservation.spendable ?? reservation.amount) : reservation.amount
  const limits = all.map((offer) => {
    const { outputTokens, cachesUnasked, upstreamModel } = offer
    const price = pinPrice(offer.price, { view, ...quote, cachesUnasked, upstreamModel })
    const output = affordableOutput(price, view.promptTokens, budget, outputTokens * view.choices)
    return { limit: Math.max(1, Math.floor(output / view.choices)), isAll: output === outputTokens * view.choices }
  })
  return limits.every(({ isAll }) => isAll) ? null : Math.min(...limits.map(({ limit }) => limit))
}
