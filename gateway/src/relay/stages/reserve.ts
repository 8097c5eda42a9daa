import type { Context } from '../../context'
import type { Reservation } from '../../billing/ledger/ledger'
import { affordableOutput } from '../../billing/pricing/hold'
import { AppError } from '../../platform/app-error'
import type { CallView } from '../admission/call-view'
import { outputCap } from '../admission/caps'
import { chooseModel, choosingCall, withNextModel } from '../admission/model-choice'
import { payInTurn } from '../admission/payers'
import { noteWindows } from '../admission/rate-standings'
import { takeOrGoOn, type RequestedModel } from '../admission/window-fallback'
import type { Caller, ModelCall } from '../call'
import { pinCallPrice } from '../pricing/call-price'
import { quoteOf, type Quote, type QuoteInput } from './quote'

interface PricedCall {
  readonly caller: Caller
  readonly view: CallView
  readonly quote: Quote
  readonly reservation: Reservation
}

/**
 * Resolves with what a call may cost, and holds the most of it. A call whose model no channel serves now goes on with its chain.
 * @throws AppError as `quoteOf`; `quota.user`, `quota.token`, `quota.window`, `ledger.unavailable`.
 */
export async function reserve(call: ModelCall, input: QuoteInput, ctx: ReserveContext): Promise<PricedCall> {
  try {
    return await reserveModel(call, input, ctx)
  } catch (error) {
    const isUnserved = error instanceof AppError && error.code === 'route.no_channel'
    const view = isUnserved ? withNextModel(input.view, 'failure', { ...input, catalog: call.catalog }) : null
    if (view === null) throw error
    return reserve(call, { ...input, view }, ctx)
  }
}

/**
 * Does what `reserve` does where the wallet alone pays and what the worker has leased covers the most; null where something has to be asked
 * for, or the call may not be made as it is.
 */
export function reserveNow(call: ModelCall, input: QuoteInput, ctx: ReserveContext): PricedCall | null {
  const { caller, view } = input
  if (caller.plans.length > 0) return null
  let quote: Quote
  try {
    quote = quoteOf(call, input, ctx.clock.now())
  } catch {
    return null
  }
  const reservation = ctx.ledger.reserveNow(call.requestId, caller.payer, quote.holdRange)
  if (reservation === null) return null
  noteWindows(call, caller.payer, ctx)
  return { caller, view, quote, reservation }
}

/** Does so for one model. A window that is used up may name the model with which the call goes on. */
function reserveModel(call: ModelCall, input: QuoteInput, ctx: ReserveContext): Promise<PricedCall> {
  const { view } = input
  const viewOf = ({ model, modelChoice }: RequestedModel) =>
    model === view.model ? view : { ...view, model, ...(modelChoice && { modelChoice }) }
  return takeOrGoOn(
    call,
    { caller: input.caller, model: view.model, modelChoice: view.modelChoice },
    {
      quote: (requested) =>
        quoteOf(call, { ...input, caller: requested.caller, view: viewOf(requested) }, ctx.clock.now()),
      async take(requested, quote) {
        const { caller } = requested
        const { model, holdRange } = quote
        const reservation = await payInTurn({ caller, model, clock: ctx.clock }, (payer) =>
          ctx.ledger.reserve(call.requestId, payer, holdRange),
        )
        noteWindows(call, reservation.payer, ctx)
        return { caller, view: viewOf(requested), quote, reservation }
      },
      choose: (named) => chooseModel(named, choosingCall(call, input), ctx),
    },
    ctx.clock,
  )
}

type ReserveContext = Pick<Context, 'ledger' | 'clock' | 'random'>

/** Returns the limit of each response that the hold pays for and the caller's caps allow; null where the caller or the model sets it. */
export function outputLimit(
  quote: Quote,
  view: CallView,
  {
    caps,
    reservation,
  }: { readonly caps: Caller['caps']; readonly reservation: Omit<Reservation, 'requestId' | 'payer'> },
): number | null {
  const lowered = loweredOutput(quote, view, reservation)
  const cap = view.maxOutputTokens === null ? outputCap(caps, view) : null
  return lowered === null || cap === null ? (lowered ?? cap) : Math.min(lowered, cap)
}

/**
 * Returns the limit of each response that the hold pays for; null when it pays for the largest. A stream that shows its cost may go on
 * with all that the balance can pay: it takes more while it runs.
 */
function loweredOutput(
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
