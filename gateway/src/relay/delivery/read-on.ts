import { refersBeyondBody } from '@tollgate/dialects'
import { modelOf } from '@tollgate/models'

import type { Channel } from '../../catalog/catalog'
import type { StreamAnswer } from '../attempt/opened-answer'
import type { Scene } from '../call-context'

/**
 * After its last word an upstream owes only the usage, which follows within a second or two: all work is done, so waiting costs
 * nothing. Nobody waits for this, so the time is generous.
 */
const usageTailMs = 5000

/**
 * Whether an upstream whose client left is read on until its usage is known: as the channel says, else wherever the vendor
 * bills the rest anyway.
 */
export function isDrained({ setting, provider }: Pick<Channel, 'setting' | 'provider'>, isStream: boolean): boolean {
  if (setting.on_disconnect !== undefined) return setting.on_disconnect === 'drain'
  return provider.billsAbandoned === 'all' || (provider.billsAbandoned === 'whole' && !isStream)
}

/** Returns for how many milliseconds a stream is read on whose client left; 0: its upstream is stopped at once. */
export function readOnMs(scene: Scene, channel: Channel, answer: Pick<StreamAnswer, 'tap' | 'prepared'>): number {
  const { drainTimeoutMs } = scene.parts.ctx.config
  if (isDrained(channel, true)) return drainTimeoutMs
  const isWorthIt = answer.tap.isFinished || (channel.setting.on_disconnect === undefined && mayHideCost(scene, answer))
  return isWorthIt ? Math.min(usageTailMs, drainTimeoutMs) : 0
}

/** Whether much of what the call cost may be nowhere in what came: reasoning that is not shown, or a prompt kept at the vendor. */
function mayHideCost(scene: Scene, { tap, prepared }: Pick<StreamAnswer, 'tap' | 'prepared'>): boolean {
  const { usage } = tap
  const isPromptKnown = usage !== null && usage.unreported !== 'prompt' && usage.unreported !== 'all'
  if (!isPromptKnown && refersBeyondBody(scene.body.json)) return true
  if (usage !== null && usage.unreported === undefined) return false
  return mayReason(scene, prepared)
}

/** Anthropic's models reason only when the request says so. */
function mayReason({ model }: Scene, { description, request, upstreamModel }: StreamAnswer['prepared']): boolean {
  if (description.dialect === 'anthropic-messages') return request.body.includes('"thinking"')
  const entry = modelOf(upstreamModel) ?? modelOf(model)
  return entry === null || entry.abilities.includes('reasoning')
}
