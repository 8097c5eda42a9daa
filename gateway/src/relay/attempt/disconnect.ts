import { refersBeyondBody } from '@tollgate/dialects'
import { modelOf } from '@tollgate/models'

import type { Channel } from '../../catalog/catalog'
import type { AttemptClocks } from '../../channels/calls/clocks'
import type { CallContext } from '../call-context'
import type { StreamAnswer } from './opened-answer'

/**
 * After its last word an upstream owes only the usage, which follows within a second or two: all work is done, so waiting costs
 * nothing. No client waits for this, so the time is generous.
 */
const usageTailMs = 5000

/** A stream whose client left. */
type LeftStream = Pick<StreamAnswer, 'tap' | 'prepared'>

/**
 * Returns for how many milliseconds an upstream is read on whose client left; 0: it is stopped at once. As the channel says,
 * otherwise for as long as the rest is billed anyway, or much of what the call cost may be yet to come. `stream`: null before the
 * answer began.
 */
export function readOnMs(context: CallContext, channel: Channel, stream: LeftStream | null): number {
  const { drainTimeoutMs } = context.deps.ctx.config
  if (isDrained(channel, context.view.isStream)) return drainTimeoutMs
  if (!stream) return 0
  const isWorthIt =
    stream.tap.isFinished || (channel.setting.on_disconnect === undefined && mayHideCost(context, stream))
  return isWorthIt ? Math.min(usageTailMs, drainTimeoutMs) : 0
}

/** Stops an attempt after this time, unless it is disposed before. */
export function stopAfter(clocks: Pick<AttemptClocks, 'stop'>, milliseconds: number): Disposable {
  const timer = setTimeout(() => clocks.stop('client'), milliseconds)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Stops an attempt whose client leaves, or left already, when `readOnMs` are over, unless it is disposed before. */
export function stopWhenLeft(
  signal: AbortSignal,
  clocks: Pick<AttemptClocks, 'stop'>,
  readOnMs: () => number,
): Disposable {
  let stopping: Disposable | undefined
  const leave = () => {
    const milliseconds = readOnMs()
    if (milliseconds === 0) clocks.stop('client')
    else stopping = stopAfter(clocks, milliseconds)
  }
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  return {
    [Symbol.dispose]() {
      signal.removeEventListener('abort', leave)
      stopping?.[Symbol.dispose]()
    },
  }
}

/** Returns whether an upstream is always read to its end: as the channel says, otherwise wherever the vendor bills the rest anyway. */
function isDrained({ setting, provider }: Pick<Channel, 'setting' | 'provider'>, isStream: boolean): boolean {
  if (setting.on_disconnect !== undefined) return setting.on_disconnect === 'drain'
  return provider.billsAbandoned === 'all' || (provider.billsAbandoned === 'whole' && !isStream)
}

/** Returns whether much of what the call cost may be nowhere in what came: reasoning that is not shown, or a prompt kept at the vendor. */
function mayHideCost(context: CallContext, { tap, prepared }: LeftStream): boolean {
  const { usage } = tap
  const isPromptKnown = usage !== null && usage.unreported !== 'prompt' && usage.unreported !== 'all'
  if (!isPromptKnown && refersBeyondBody(context.body.json)) return true
  if (usage !== null && usage.unreported === undefined) return false
  return mayReason(context, prepared)
}

/** Anthropic's models reason only when the request says so. */
function mayReason(
  { quote: { model } }: CallContext,
  { description, request, upstreamModel }: StreamAnswer['prepared'],
): boolean {
  if (description.dialect === 'anthropic-messages') return request.body.includes('"thinking"')
  const entry = modelOf(upstreamModel) ?? modelOf(model)
  return entry === null || entry.abilities.includes('reasoning')
}
