import type { Reservation } from '../../ledger/ledger'
import type { CallView } from '../admission/call-view'
import type { CallContext } from '../call-context'
import { quoteOf, type Quote } from '../stages/quote'

/** A session before its first hold: who calls which model. */
export type SessionContext = Omit<CallContext, 'view' | 'quote' | 'reservation' | 'maxTokens'>

/** Quota held for the next response, at the price that was in force when it was held. */
export interface Hold {
  readonly context: CallContext
}

/** What a response may cost. */
interface Priced {
  readonly call: SessionContext['call']
  readonly view: CallView
  readonly quote: Quote
}

/**
 * Returns what the next response may cost at present prices.
 * @throws AppError as `quoteOf`.
 */
export function priceNow({ call, caller, body, deps: { ctx } }: SessionContext, view: CallView): Priced {
  const present = { ...call, catalog: ctx.catalog.current }
  return { call: present, view, quote: quoteOf(present, { caller, body, view }, ctx.clock.now()) }
}

/**
 * Resolves with quota held for the next response.
 * @throws AppError `quota.user`, `quota.token`, `ledger.unavailable`; and as `quoteOf`.
 */
export async function holdNext(session: SessionContext, view: CallView, requestId: string): Promise<Hold> {
  const priced = priceNow(session, view)
  const reservation: Reservation = await session.deps.ctx.ledger.reserve(
    requestId,
    session.caller.payer,
    priced.quote.want,
  )
  const call = { ...priced.call, requestId }
  return { context: { ...session, ...priced, call, reservation, maxTokens: null } }
}
