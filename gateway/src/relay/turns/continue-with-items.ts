import { UpstreamError } from '../../channels/calls/upstream-error'
import type { CallContext } from '../call-context'
import { outputLimit, reserve } from '../stages/reserve'
import { admitThread, threadTo } from './admit-turn'

/** In the words of OpenAI, whose id is gone, and of vendors that keep no responses. */
const namesPrevious = /previous[ _]response/i
const refusedStatuses: ReadonlySet<number> = new Set([400, 404, 422, 501])

/**
 * Resolves with a call whose vendor does not have the response that it names, with the items of its thread in place of the id and the price of
 * the whole prompt held instead of what was held before; null where it failed for another reason, or the thread is not stored here.
 * @throws AppError, DialectError: nothing is held.
 */
export async function continueWithItems(context: CallContext, error: unknown): Promise<CallContext | null> {
  const { call, caller, body, turn, deps } = context
  const { ctx } = deps
  if (turn === null || turn.previousId === null || turn.earlier !== null || !isUnknown(error)) return null
  const request = { call, caller, body, ctx }
  const thread = await threadTo(request, turn.previousId)
  if (thread.kind !== 'whole') return null
  ctx.ledger.release(context.reservation)
  const admitted = await admitThread(request, turn, thread)
  const priced = await reserve(call, { caller, body: admitted.body, view: admitted.view }, ctx)
  const { quote, view, reservation } = priced
  call.trace?.recordAdmission({ model: quote.model, isStream: view.isStream, attempts: context.records })
  const maxTokens = outputLimit(quote, view, { caps: priced.caller.caps, reservation })
  return { ...context, ...admitted, ...priced, maxTokens }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof UpstreamError &&
  error.fault === 'refused' &&
  refusedStatuses.has(error.status) &&
  (error.code === 'previous_response_not_found' || error.matches(namesPrevious))
