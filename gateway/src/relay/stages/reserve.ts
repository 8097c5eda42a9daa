import type { Context } from '../../context'
import type { Reservation } from '../../billing/ledger/ledger'
import { affordableOutput } from '../../billing/pricing/hold'
import type { CallView } from '../admission/call-view'
import type { Caller, ModelCall } from '../call'
import { pinCallPrice } from '../pricing/call-price'
import type { Quote } from './quote'

interface ReservationRequest {
  readonly caller: Caller
  readonly quote: Quote
}

/** Holds the most that the call may cost. @throws AppError `quota.user`, `quota.token`, `ledger.unavailable`. */
export const reserve = (
  { requestId }: ModelCall,
  { caller, quote }: ReservationRequest,
  { ledger }: Pick<Context, 'ledger'>,
): Promise<Reservation> => ledger.reserve(requestId, caller.payer, quote.holdRange)

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
  const { all } = quote.prices
  const isSeen = view.isStream && all.every(({ hidesOutput }) => !hidesOutput)
  const budget = isSeen ? (reservation.spendable ?? reservation.amount) : reservation.amount
  const limits = all.map((candidate) => {
    const maxTokens = candidate.maxOutputTokens * view.choices
    const price = pinCallPrice(candidate.price, { view, ...quote, ...candidate })
    const output = affordableOutput(price, view.promptTokens, budget, maxTokens)
    return { limit: Math.max(1, Math.floor(output / view.choices)), isAll: output === maxTokens }
  })
  return limits.every(({ isAll }) => isAll) ? null : Math.min(...limits.map(({ limit }) => limit))
}
