import { refersBeyondBody } from '@tollgate/dialects'
import { modelOf } from '@tollgate/models'

import type { Channel } from '../../channels/catalog/catalog'
import type { AttemptClocks } from '../../channels/calls/clocks'
import type { CallContext } from '../call-context'
import type { Departure } from '../departure'
import type { ArrivingResponse } from './stream-opening'
import { turnOver, type Timers } from '../../platform/time/timers'
import { UpstreamError } from '../../channels/calls/upstream-error'

/**
 * After its last content an upstream owes only the usage, which follows within a second or two: all work is done, so waiting costs
 * nothing. No client waits for this, so the time is generous.
 */
const usageTailMs = 5000

/** A stream whose client left. */
type LeftStream = Pick<ArrivingResponse, 'tap' | 'prepared'>

/**
 * Returns for how many milliseconds an upstream is read after its client left or was sent away; 0: it is stopped at once. Follows the channel's setting;
 * otherwise reads on where the rest is billed anyway, to the end where a prompt stored at the vendor is still unreported, and for a moment where
 * reasoning may be. `stream`: null before the response began.
 */
export function readOnMs(context: CallContext, channel: Channel, stream: LeftStream | null): number {
  const { drainTimeoutMs } = context.deps.ctx.config
  if (isDrained(channel, context.view.isStream)) return drainTimeoutMs
  if (!stream) return 0
  const isUpToVendor = channel.setting.on_disconnect === undefined
  if (isUpToVendor && hidesPrompt(context, stream)) return drainTimeoutMs
  const isWorthIt = stream.tap.isFinished || (isUpToVendor && mayHideReasoning(context, stream))
  return isWorthIt ? Math.min(usageTailMs, drainTimeoutMs) : 0
}

/** Stops an attempt after this time, unless disposed first. */
export function stopAfter(clocks: Pick<AttemptClocks, 'stop'>, timers: Timers, milliseconds: number): Disposable {
  return { [Symbol.dispose]: timers.after(milliseconds, () => clocks.stop('client')) }
}

/** Stops an attempt `readOnMs` after its client leaves or left, unless disposed first. */
export function stopWhenLeft(
  departure: Pick<Departure, 'onGone' | 'forget'>,
  clocks: Pick<AttemptClocks, 'stop'>,
  timers: Timers,
  readOnMs: () => number,
): Disposable {
  let stopping: Disposable | undefined
  const leave = () => {
    const milliseconds = readOnMs()
    if (milliseconds === 0) clocks.stop('client')
    else stopping = stopAfter(clocks, timers, milliseconds)
  }
  departure.onGone(leave)
  return {
    [Symbol.dispose]() {
      departure.forget(leave)
      stopping?.[Symbol.dispose]()
    },
  }
}

/** Returns whether an upstream is always read to its end: as the channel is set, otherwise wherever the vendor bills the rest anyway. */
function isDrained({ setting, provider }: Pick<Channel, 'setting' | 'provider'>, isStream: boolean): boolean {
  if (setting.on_disconnect !== undefined) return setting.on_disconnect === 'drain'
  return provider.billsAbandoned === 'all' || (provider.billsAbandoned === 'whole' && !isStream)
}

/**
 * Returns whether the prompt is stored at the vendor and not reported yet. Its length may be a whole window, and only the usage at the end tells it, so
 * the stream is read to that, as long as it takes.
 */
function hidesPrompt({ body }: CallContext, { tap: { usage } }: LeftStream): boolean {
  const isReported = usage !== null && usage.unreported !== 'prompt' && usage.unreported !== 'all'
  return !isReported && refersBeyondBody(body.json)
}

/** Returns whether reasoning that did not arrive as text may be most of the cost. */
function mayHideReasoning(context: CallContext, { tap: { usage }, prepared }: LeftStream): boolean {
  const isReported = usage !== null && usage.unreported === undefined
  return !isReported && mayReason(context, prepared)
}

/** Anthropic's models reason only when the request enables it. */
function mayReason(
  { quote: { model } }: CallContext,
  { description, request, upstreamModel }: ArrivingResponse['prepared'],
): boolean {
  if (description.dialect === 'anthropic-messages')
    return typeof request.body === 'string' && request.body.includes('"thinking"')
  const entry = modelOf(upstreamModel) ?? modelOf(model)
  return entry === null || entry.abilities.includes('reasoning')
}

/**
 * Lets the turn of the event loop end in which the request arrived. If its client sent more behind it, the runtime has closed the connection
 * by then: no response can be delivered, so no upstream is asked for one.
 * @throws UpstreamError `abandoned`.
 */
export const refusePipelined = (request: Pick<Request, 'signal'>, timers: Timers): Promise<void> =>
  turnOver(timers).then(() => refuseLeft(request))

/**
 * Does the same for a request whose turn is over.
 * @throws UpstreamError `abandoned`.
 */
export function refuseLeft({ signal }: Pick<Request, 'signal'>): void {
  if (!signal.aborted) return
  throw new UpstreamError({
    fault: 'abandoned',
    status: 499,
    message: 'The client sent another request before its response',
  })
}
