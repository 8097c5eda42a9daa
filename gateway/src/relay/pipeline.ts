import { AppError } from '../app-error'
import type { Context } from '../context'
import type { Reservation } from '../ledger/ledger'
import type { CallView } from './admission/call-view'
import type { ModelCall } from './call'
import type { CallContext, RelayDeps } from './call-context'
import { admit, admitRequest, type Admitted } from './stages/admit'
import { authenticate } from './stages/authenticate'
import { quoteOf } from './stages/quote'
import { reserve } from './stages/reserve'
import { countSuccess } from './admission/rate-limits'
import { forbidsWords, refuseForbiddenWords } from './content-policy/forbidden-words'
import { isDeferred } from './background/is-deferred'
import { Departure } from './departure'
import { serve } from './serve'
import { startTiming } from './timing'

/**
 * Runs one model call, from the request to the response; a stream goes on after this returns, and so does a call in the background.
 * @throws AppError, UpstreamError: nothing was delivered and nothing is charged.
 */
export async function relay(call: ModelCall, deps: RelayDeps): Promise<Response> {
  const { limiter } = deps
  const admitted = await admit(call, await authenticate(call, deps), deps)
  let context: CallContext
  try {
    if (isDeferred(call, admitted.body)) {
      const { deferCall } = await import('./background/defer-call')
      return await deferCall(call, admitted, deps)
    }
    context = await contextOf(call, admitted, deps)
  } catch (error) {
    admitted.body.release?.()
    throw error
  }
  const response = await unlessSentAway(context, serve(context))
  await countSuccess(limiter, admitted.rates)
  return response
}

/** Resolves with what is decided about a call, for which its price is held. @throws AppError, DialectError: nothing is held. */
async function contextOf(call: ModelCall, { caller, body }: Admitted, deps: RelayDeps): Promise<CallContext> {
  const { ctx } = deps
  const view = admitRequest(call, caller, body)
  const quote = quoteOf(call, { caller, body, view }, ctx.clock.now())
  const { reservation, maxTokens } = await reserve(call, { caller, view, quote }, ctx)
  if (forbidsWords(call.catalog)) await checkWords(call, view, reservation, ctx)
  const timing = startTiming(ctx, call.trace)
  timing.spent('admit', call.startedAt)
  const departure = Departure.of(call.request.signal, caller.payer)
  const context: CallContext = {
    deps,
    call,
    caller,
    body,
    view,
    quote,
    reservation,
    departure,
    maxTokens,
    records: [],
    timing,
  }
  call.trace?.admitted({ model: quote.model, isStream: view.isStream, attempts: context.records })
  return context
}

/**
 * Resolves with the response, unless its caller is sent away before: the call then goes on without it, to be charged.
 * @throws AppError `caller.revoked`.
 */
function unlessSentAway({ departure, deps: { inFlight } }: CallContext, serving: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    serving.then(resolve, reject)
    departure.onGone(() => {
      if (!departure.isSentAway) return
      serving.finally(inFlight.enter()).catch(() => {})
      reject(new AppError('caller.revoked'))
    })
  })
}

/** Searches the prompt while its price is held. @throws AppError `request.sensitive_words`: nothing is held any more. */
async function checkWords(
  { catalog }: ModelCall,
  { prompt }: CallView,
  reservation: Reservation,
  { ledger }: Pick<Context, 'ledger'>,
): Promise<void> {
  try {
    await refuseForbiddenWords(catalog, prompt.texts)
  } catch (error) {
    ledger.release(reservation)
    throw error
  }
}
