import type { ModelCall } from './call'
import type { CallContext, RelayDeps } from './call-context'
import { admit, admitRequest } from './stages/admit'
import { attempt } from './stages/attempt'
import { authenticate } from './stages/authenticate'
import { deliver } from './stages/deliver'
import { meterAnswer } from './stages/meter'
import { quoteOf } from './stages/quote'
import { reserve } from './stages/reserve'
import { settle } from './stages/settle'
import { countSuccess } from './admission/rate-limits'
import type { StreamEnding } from './delivery/deliver-stream'
import { startTiming } from './timing'

/**
 * Runs one model call, from the request to the response; a stream goes on after this returns.
 * @throws AppError, UpstreamError: nothing was delivered and nothing is charged.
 */
export async function relay(call: ModelCall, deps: RelayDeps): Promise<Response> {
  const { ctx, limiter } = deps
  const { caller, rates, body } = await admit(call, await authenticate(call, deps), deps)
  const view = admitRequest(call, caller, body)
  const quote = quoteOf(call, { caller, body, view }, ctx.clock.now())
  const { reservation, maxTokens } = await reserve(call, { caller, view, quote }, ctx)
  const timing = startTiming(ctx, call.trace)
  timing.spent('admit', call.startedAt)
  const context: CallContext = { deps, call, caller, body, view, quote, reservation, maxTokens, records: [], timing }
  call.trace?.admitted({ model: quote.model, isStream: view.isStream, attempts: context.records })
  const attempted = await attempt(context)
  if (attempted.kind === 'failed') {
    ctx.ledger.release(context.reservation)
    body.release?.()
    throw attempted.error
  }
  // Called by the delivery before the last bytes are sent: a client has the end of its response only when it is charged.
  const charge = async (ending: StreamEnding) =>
    settle(context, attempted, ending, await meterAnswer(context, attempted, ending))
  const response = await deliver(context, attempted, charge)
  if (attempted.answer.kind === 'whole') body.release?.()
  await countSuccess(limiter, rates)
  return response
}
