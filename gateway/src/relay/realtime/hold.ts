import { payInTurn } from '../admission/payers'
import type { HoldRange, Reservation } from '../../billing/ledger/ledger'
import type { CallView } from '../admission/call-view'
import type { Caller } from '../call'
import type { CallContext } from '../call-context'
import { type Quote, quoteOf } from '../stages/quote'
import { outputLimit } from '../stages/reserve'
import type { Output } from './conversation'

/** A session before its first hold: who calls which model. */
export type SessionContext = Omit<CallContext, 'view' | 'quote' | 'reservation' | 'maxTokens'> &
  Pick<CallView, 'modelChoice'>

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
 * Returns what the next response may cost at present prices, and as what: no longer than the caps on each call allow.
 * @throws AppError as `quoteOf`.
 */
export function priceNow({ call, caller, body, deps: { ctx } }: SessionContext, view: CallView): Priced {
  const present = { ...call, catalog: ctx.catalog.current }
  const quote = (payer: Caller, response: CallView) =>
    quoteOf(present, { caller: payer, body, view: response }, ctx.clock.now())
  const { caps } = caller
  if (caps.length === 0) return { call: present, view, quote: quote(caller, view) }
  const limited = { ...view, maxOutputTokens: limitWithin(caps, view, quote(caller, withoutLimit(view))) }
  return { call: present, view: limited, quote: quote({ ...caller, caps: [] }, limited) }
}

/** Returns the limit of a response that was requested with another one, or none, by what the caps on each call allow. */
function limitWithin(caps: Caller['caps'], view: CallView, quote: Quote): number | null {
  const ofPrice = caps.filter(({ measure }) => measure === 'quota').map(({ limit }) => limit)
  const reservation = { amount: Math.min(quote.shown, ...ofPrice), spendable: null }
  const allowed = outputLimit(quote, withoutLimit(view), { caps, reservation })
  return allowed === null ? view.maxOutputTokens : Math.min(allowed, view.maxOutputTokens ?? Infinity)
}

/**
 * Resolves with quota held for the next response: the most that it may cost, or all of a balance that cannot pay that.
 * @throws AppError `quota.user`, `quota.token`, `ledger.unavailable`; and as `quoteOf`.
 */
export async function holdResponse(session: SessionContext, view: CallView, requestId: string): Promise<Hold> {
  const priced = priceNow(session, view)
  return await reserveHold(session, priced, { requestId, holdRange: responseHoldRange(session, priced) })
}

/**
 * Resolves with a share of the quota that a response may cost, for a session that only transcribes: it is closed when nothing is left.
 * @throws AppError as `holdResponse`.
 */
export async function holdTranscripts(session: SessionContext, view: CallView, requestId: string): Promise<Hold> {
  const priced = priceNow(session, view)
  return await reserveHold(session, priced, { requestId, holdRange: priced.quote.holdRange })
}

async function reserveHold(
  session: SessionContext,
  priced: Priced,
  { requestId, holdRange }: { requestId: string; holdRange: HoldRange },
): Promise<Hold> {
  const { caller, deps } = session
  const { ledger, clock } = deps.ctx
  const paidCall = { caller, model: priced.quote.model, clock }
  const reservation: Reservation = await payInTurn(paidCall, (payer) => ledger.reserve(requestId, payer, holdRange))
  const call = { ...priced.call, requestId }
  return { context: { ...session, ...priced, call, reservation, maxTokens: null } }
}

/** Responses that the client limits can do with less than their limit costs, as others can. */
function responseHoldRange(session: SessionContext, { view, quote }: Priced): HoldRange {
  const { shown } = quote
  const { tokens } = quote.holdRange
  const uncapped = { ...session, caller: { ...session.caller, caps: [] } }
  const { min: minAmount } =
    view.maxOutputTokens === null ? quote.holdRange : priceNow(uncapped, withoutLimit(view)).quote.holdRange
  return { max: shown, min: Math.min(minAmount, shown), fair: shown, tokens }
}

const withoutLimit = (view: CallView): CallView => ({ ...view, maxOutputTokens: null })

/**
 * Resolves with a hold that covers the next response as it may be now: longer than when the quota was held. A hold that took all of a
 * balance stays as it is.
 * @throws AppError as `priceNow`.
 */
export async function raiseHold(session: SessionContext, { context }: Hold, view: CallView): Promise<Hold> {
  const { reservation } = context
  const priced = priceNow(session, view)
  const missing = priced.quote.shown - reservation.amount
  const hasAll = reservation.spendable !== null && reservation.amount >= reservation.spendable
  if (missing > 0 && !hasAll) await session.deps.ctx.ledger.extend(reservation, { max: missing, min: 1, fair: missing })
  return { context: { ...context, ...priced, call: { ...priced.call, requestId: context.call.requestId } } }
}

/** What arrived of a response. */
interface Arrived extends Output {
  /** Monotonic milliseconds. */
  readonly startedAt: number
  readonly firstOutputMs: number | null
}

/** A response that ended without its usage, which comes with that of the next one. */
export interface Late extends Arrived {
  readonly responseId: string
}

/** A response in progress. */
export interface Running {
  readonly hold: Hold
  readonly startedAt: number
  firstOutputMs: number | null
  text: string
  audioLength: number
  /** It is charged with the one before it. */
  readonly hasLate: boolean
}

/** A response that the client requested and that has not begun. */
export interface Requested {
  /** The id of the client's event. */
  readonly eventId: string
  readonly hold: Hold
  /** Monotonic milliseconds. */
  readonly requestedAt: number
}

export const emptyOutput = { firstOutputMs: null, text: '', audioLength: 0 }
