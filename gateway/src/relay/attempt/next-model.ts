import type { ChainReason } from '@tollgate/contract'

import { classifyFailure } from '../../channels/calls/classify-failure'
import { isContentRefusal, isTooLong } from '../../channels/calls/refused-content'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { OptionValues } from '../../channels/catalog/catalog'
import { AppError } from '../../platform/app-error'
import { withNextModel } from '../admission/model-choice'
import type { CallContext } from '../call-context'
import { outputLimit, reserve } from '../stages/reserve'
import { minAttemptMs } from './retries'

/**
 * Resolves with a failed call as it goes on with the next model of its chain, whose price is held instead of what was held before, which is
 * released; null where there is none that its payer can pay for.
 */
export async function continueWithNext(context: CallContext, error: unknown): Promise<CallContext | null> {
  const { call, deps, objects } = context
  const { ctx } = deps
  ctx.ledger.release(context.reservation)
  const reason = objects === null ? chainReasonOf(error, call.catalog.options) : null
  if (reason === null || !hasTime(context)) return null
  for (let { caller, view } = context; ;) {
    const next = withNextModel(view, reason, { caller, catalog: call.catalog })
    if (next === null) return null
    view = next
    try {
      const priced = await reserve(call, { ...context, caller, view }, ctx)
      const { quote, reservation } = priced
      call.trace?.recordAdmission({ model: quote.model, isStream: view.isStream, attempts: context.records })
      const maxTokens = outputLimit(quote, priced.view, { caps: priced.caller.caps, reservation })
      return { ...context, ...priced, maxTokens }
    } catch (refusal) {
      // The failure says more than that the next model is not served, or cannot be paid.
      if (!(refusal instanceof AppError)) throw refusal
    }
  }
}

/** Returns whether the client waits, and there is time for an attempt. */
const hasTime = ({ call, departure, deps: { ctx } }: CallContext): boolean =>
  !departure.isGone && call.startedAt + ctx.config.requestTimeoutMs - ctx.clock.monotonic() >= minAttemptMs

/** Own failures for which another model may serve. */
const unserved: ReadonlySet<string> = new Set(['route.no_channel', 'model.absent', 'route.busy'])

/** Returns why another model may serve a call that failed; null where it would fail as well, or where a vendor may be at work on it. */
export function chainReasonOf(error: unknown, options: OptionValues): ChainReason | null {
  if (error instanceof AppError) return unserved.has(error.code) ? 'failure' : null
  if (!(error instanceof UpstreamError)) return null
  const { fault } = error
  if (fault === 'abandoned' || fault === 'timeout' || fault === 'unanswered') return null
  if (isTooLong(error)) return 'length'
  if (isContentRefusal(error)) return 'refusal'
  const failureClass = classifyFailure(error, options)
  return failureClass === 'request' || failureClass === 'client' ? null : 'failure'
}
