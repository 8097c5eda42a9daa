import type { Mode } from '@tollgate/dialects'

import { AppError } from '../app-error'
import type { Catalog } from '../catalog/catalog'
import type { Want } from '../ledger/lease'
import type { Reservation } from '../ledger/ledger'
import { affordableOutput, estimateQuota, smallestHold } from '../metering/estimate'
import { offersOf, type Offers } from './offers'
import type { Caller } from './call'
import type { CallView } from './view'

/** What a call may cost. */
export interface Quote {
  readonly offers: Offers
  /** Quota to hold: what the largest answer costs at the dearest of the channels that may serve it. */
  readonly want: Want
  /** The caller set no limit, so a balance that cannot pay the largest answer may pay a shorter one. */
  readonly isFlexible: boolean
}

/** Work whose result is written token by token, as many as the caller or the model allows. */
const writes = (mode: Mode): boolean => mode === 'chat' || mode === 'completions'

/**
 * Returns what a call may cost. `model` is without a channel's prefix.
 * @throws AppError `model.unpriced` when no channel has a price for it.
 */
export function quoteOf(model: string, view: CallView, mode: Mode, caller: Caller, catalog: Catalog): Quote {
  const offers = offersOf({ model, called: view.model, caller }, catalog)
  if (offers.all.length === 0) throw new AppError('model.unpriced', { params: { model } })
  const { options } = catalog
  const { maxOutputTokens, promptTokens, choices } = view
  const isLimited = maxOutputTokens !== null || !writes(mode)
  let [most, least] = [0, 0]
  for (const { price, outputTokens } of offers.all) {
    const output = writes(mode) ? (maxOutputTokens ?? outputTokens) * choices : 0
    most = Math.max(most, estimateQuota(price, promptTokens, output))
    if (maxOutputTokens === null)
      least = Math.max(least, smallestHold(price, promptTokens, writes(mode) ? choices : 0, options.PreConsumedQuota))
  }
  most = Math.max(most, least)
  const isFlexible = !isLimited && options.LowerMaxTokensEnabled && least < most
  return { offers, want: { most, least: isFlexible ? least : most }, isFlexible }
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
  const limits = all.map(({ price, outputTokens }) => {
    const output = affordableOutput(price, view.promptTokens, budget, outputTokens * view.choices)
    return { limit: Math.max(1, Math.floor(output / view.choices)), isAll: output === outputTokens * view.choices }
  })
  return limits.every(({ isAll }) => isAll) ? null : Math.min(...limits.map(({ limit }) => limit))
}
