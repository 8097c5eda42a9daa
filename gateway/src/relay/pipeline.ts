import type { ModelCall } from './call'
import type { CallContext, RelayDeps } from './call-context'
import { admit, admitRequest } from './stages/admit'
import { authenticate } from './stages/authenticate'
import { quoteOf } from './stages/quote'
import { reserve } from './stages/reserve'
import { countSuccess } from './admission/rate-limits'
import { isDeferred } from './background/is-deferred'
import { serve } from './serve'
import { startTiming } from './timing'

/**
 * Runs one model call, from the request to the response; a stream goes on after this returns, and so does a call in the background.
 * @throws AppError, UpstreamError: nothing was delivered and nothing is charged.
 */
export async function relay(call: ModelCall, deps: RelayDeps): Promise<Response> {
  const { ctx, limiter } = deps
  const admitted = await admit(call, await authenticate(call, deps), deps)
  const { caller, rates, body } = admitted
  if (isDeferred(call, body)) {
    const { deferCall } = await import('./background/defer-call')
    return deferCall(call, admitted, deps)
  }
  const view = admitRequest(call, caller, body)
  const quote = quoteOf(call, { caller, body, view }, ctx.clock.now())
  const { reservation, maxTokens } = await reserve(call, { caller, view, quote }, ctx)
  const timing = startTiming(ctx, call.trace)
  timing.spent('admit', call.startedAt)
  const context: CallContext = { deps, call, caller, body, view, quote, reservation, maxTokens, records: [], timing }
  call.trace?.admitted({ model: quote.model, isStream: view.isStream, attempts: context.records })
  const response = await serve(context)
  await countSuccess(limiter, rates)
  return response
}
