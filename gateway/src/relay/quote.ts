import type { Mode } from '@tollgate/dialects'

import { AppError } from '../app-error'
import type { Catalog } from '../catalog/catalog'
import type { Want } from '../ledger/lease'
import type { Reservation } from '../ledger/ledger'
import { affordableOutput, estimateQuota, smallestHold } from '../metering/estimate'
import { atTier, tierRatio } from '../metering/service-tier'
import { offersOf, type Offer, type Offers } from './offers'
import type { Caller } from './call'
import type { CallView } from './view'

/** What a call may cost. */
export interface Quote {
  readonly offers: Offers
  /** Quota to hold: what the largest answer costs at the dearest of the channels that may serve it. */
  readonly want: Want
  /** The caller set no limit, so a balance that cannot pay the largest answer may pay a shorter one. */
  readonly isFlexible: boolean
  /** The service tier that is asked for and sold; null: the usual one. */
  readonly tier: string | null
}

/** Work whose result is written token by token, as many as the caller or the model allows. */
const writes = (mode: Mode): boolean => mode === 'chat' || mode === 'completions'

interface Quoted {
  /** Without a channel's prefix. */
  readonly model: string
  readonly view: CallView
  readonly mode: Mode
  /** The service tier that is asked for; null: the usual one. */
  readonly tier: string | null
  readonly caller: Caller
  readonly catalog: Catalog
}

/**
 * Returns what a call may cost.
 * @throws AppError `model.unpriced` when no channel has a price for it.
 */
export function quoteOf({ model, view, mode, caller, catalog, tier: wantedTier }: Quoted): Quote {
  const offers = offersOf({ model, called: view.model, caller }, catalog)
  if (offers.all.length === 0) throw new AppError('model.unpriced', { params: { model } })
  const { options } = catalog
  const { maxOutputTokens, promptTokens, choices } = view
  const isLimited = maxOutputTokens !== null || !writes(mode)
  const isSold = ({ names }: Offer) =>
    wantedTier !== null && tierRatio(options.ServiceTierRatio, wantedTier, names) !== null
  const tier = offers.all.every(isSold) ? wantedTier : null
  let [most, least] = [0, 0]
  for (const offer of offers.all) {
    const price = heldPrice(offer, tier, catalog)
    const output = writes(mode) ? (maxOutputTokens ?? offer.outputTokens) * choices : 0
    most = Math.max(most, estimateQuota(price, promptTokens, output))
    if (maxOutputTokens === null)
      least = Math.max(least, smallestHold(price, promptTokens, writes(mode) ? choices : 0, options.PreConsumedQuota))
  }
  most = Math.max(most, least)
  const isFlexible = !isLimited && options.LowerMaxTokensEnabled && least < most
  return { offers, want: { most, least: isFlexible ? least : most }, isFlexible, tier }
}

/**
 * Returns the limit of each answer that what is held pays for; null when it pays for the largest. A stream that shows what it
 * costs may go on with all that the balance can pay: it takes more while it runs.
 */
export function loweredOutput(quote: Quote, view: CallView, reservation: Reservation, catalog: Catalog): number | null {
  if (!quote.isFlexible || reservation.amount >= quote.want.most) return null
  const { all } = quote.offers
  const isSeen = view.isStream && all.every(({ hidesOutput }) => !hidesOutput)
  const budget = isSeen ? (reservation.spendable ?? reservation.amount) : reservation.amount
  const limits = all.map((offer) => {
    const { outputTokens } = offer
    const price = heldPrice(offer, quote.tier, catalog)
    const output = affordableOutput(price, view.promptTokens, budget, outputTokens * view.choices)
    return { limit: Math.max(1, Math.floor(output / view.choices)), isAll: output === outputTokens * view.choices }
  })
  return limits.every(({ isAll }) => isAll) ? null : Math.min(...limits.map(({ limit }) => limit))
}

/** A cheaper tier may fall back to the usual one. */
const heldPrice = ({ price, names }: Offer, tier: string | null, { options }: Catalog) =>
  tier === null ? price : atTier(price, Math.max(1, tierRatio(options.ServiceTierRatio, tier, names) ?? 1))
