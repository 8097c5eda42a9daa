import type { Context } from '../../context'
import type { Reservation } from '../../billing/ledger/ledger'
import { affordableOutput } from '../../billing/metering/estimate'
import type { CallView } from '../admission/call-view'
import type { Caller, ModelCall } from '../call'
import { pinPrice } from '../pricing/pin-price'
import type { Quote } from './quote'

interface Wanted {
  readonly caller: Caller
  readonly quote: Quote
}

/** Holds the most that the call may cost. @throws AppError `quota.user`, `quota.token`, `ledger.unavailable`. */
export const reserve = (
  { requestId }: ModelCall,
  { caller, quote }: Wanted,
  { ledger }: Pick<Context, 'ledger'>,
): Promise<Reservation> => ledger.reserve(requestId, caller.payer, quote.want)

/**
 * Returns the limit of each response that the hold pays for; null when it pays for the largest. A stream that shows its cost may go on
 * with all that the balance can pay: it takes more while it runs.
 */
export function loweredOutput(
  quote: Quote,
  view: CallView,
  reservation: Omit<Reservation, 'requestId' | 'payer'>,
): number | null {
  if (!quote.isFlexible || reservation.amount >= quote.shown) return null
  const { all } = quote.offers
  const isSeen = view.isStream && all.every(({ hidesOutput }) => !hidesOutput)
  const budget = isSeen ? (reservation.spendable ?? reservation.amount) : reservation.amount
  const limits = all.map((offer) => {
    const { outputTokens } = offer
    const price = pinPrice(offer.price, { view, ...quote, ...offer })
    const output = affordableOutput(price, view.promptTokens, budget, outputTokens * view.choices)
    return { limit: Math.max(1, Math.floor(output / view.choices)), isAll: output === outputTokens * view.choices }
  })
  return limits.every(({ isAll }) => isAll) ? null : Math.min(...limits.map(({ limit }) => limit))
}
