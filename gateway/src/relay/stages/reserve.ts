import type { Context } from '../../context'
import { modelRefusal } from '../../accounts/callers/caller-refusal'
import type { Reservation } from '../../billing/ledger/ledger'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { WindowError } from '../../billing/ledger/window/window-refusal'
import { affordableOutput } from '../../billing/pricing/hold'
import type { CallView } from '../admission/call-view'
import { outputCap } from '../admission/caps'
import { payInTurn } from '../admission/payers'
import type { Caller, ModelCall, RateStanding } from '../call'
import { servedName } from '../../channels/routing/priority-levels'
import { pinCallPrice } from '../pricing/call-price'
import { quoteOf, type Quote, type QuoteInput } from './quote'

interface PricedCall {
  readonly caller: Caller
  readonly view: CallView
  readonly quote: Quote
  readonly reservation: Reservation
}

/**
 * Resolves with what a call may cost, and holds the most of it. A window that is used up may name the model with which the call goes on.
 * @throws AppError as `quoteOf`; `quota.user`, `quota.token`, `quota.window`, `ledger.unavailable`.
 */
export async function reserve(call: ModelCall, input: QuoteInput, ctx: ReserveContext): Promise<PricedCall> {
  let refusal: WindowError | null = null
  for (let { caller, view } = input; ;) {
    const quote = quoteUnlessRefused(refusal, () => quoteOf(call, { ...input, caller, view }, ctx.clock.now()))
    try {
      const { model, holdRange } = quote
      const reservation = await payInTurn({ caller, model, clock: ctx.clock }, (payer) =>
        ctx.ledger.reserve(call.requestId, payer, holdRange),
      )
      return { caller, view, quote, reservation }
    } catch (error) {
      if (!(error instanceof WindowError)) throw error
      call.findings.rate = standingOf(error, ctx.clock.now())
      const model = fallbackOf(error, { caller, view, catalog: call.catalog })
      if (model === null) throw error
      refusal = error
      caller = withoutWindow(caller, error.window)
      view = { ...view, model }
    }
  }
}

type ReserveContext = Pick<Context, 'ledger' | 'clock'>

/** Returns what a call may cost; a call that cannot go on with the model of the window that refused it stays refused by that. */
function quoteUnlessRefused(refusal: WindowError | null, quote: () => Quote): Quote {
  try {
    return quote()
  } catch (error) {
    throw refusal ?? error
  }
}

/** Returns the model with which a refused call goes on; null where there is none that its caller may use. */
function fallbackOf(
  { window: { fallbackModel } }: WindowError,
  { caller, view, catalog }: Pick<PricedCall, 'caller' | 'view'> & Pick<ModelCall, 'catalog'>,
): string | null {
  if (fallbackModel === null) return null
  const served = servedName(fallbackModel, caller.group, catalog)
  return served === view.model || modelRefusal(caller, served) ? null : served
}

function withoutWindow(caller: Caller, used: LimitWindow): Caller {
  const others = (windows: readonly LimitWindow[]) => windows.filter(({ account }) => account !== used.account)
  return {
    ...caller,
    payer: { ...caller.payer, windows: others(caller.payer.windows ?? []) },
    plans: caller.plans.map(({ plan, windows }) => ({ plan, windows: others(windows) })),
  }
}

/** Returns what clients read of a window that is used up; null where none of their headers is for what it counts. */
function standingOf({ window: { measure, limit }, remaining, period }: WindowError, now: number): RateStanding | null {
  if (measure === 'quota' || measure === 'concurrent') return null
  const resetsAt = period.endsAt * 1000
  const resetSeconds = Math.max(1, Math.ceil((resetsAt - now) / 1000))
  return { unit: measure === 'requests' ? 'requests' : 'tokens', limit, remaining, resetSeconds, resetsAt }
}

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
