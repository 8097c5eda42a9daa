import type { Cap } from './caller-limits'
import type { HoldRange } from '../../billing/ledger/ledger'
import { AppError } from '../../platform/app-error'
import type { CallView } from './call-view'

type Caps = readonly Cap[]

/** @throws AppError `cap.prompt`, `cap.output` for a call that is larger than one of its caller may be. */
export function refuseBeyondCaps(caps: Caps, { promptTokens, maxOutputTokens, choices, media }: CallView): void {
  refuseLongPrompt(caps, promptTokens + (media?.audioTokens ?? 0))
  const output = maxOutputTokens === null ? 0 : maxOutputTokens * choices
  for (const { owner, name, measure, limit } of caps) {
    if (measure === 'completion_tokens' && output > limit)
      throw new AppError('cap.output', { params: { owner, name, limit, need: output } })
  }
}

/** @throws AppError `cap.prompt`. */
export function refuseLongPrompt(caps: Caps, promptTokens: number): void {
  for (const { owner, name, measure, limit } of caps)
    if (measure === 'prompt_tokens' && promptTokens > limit)
      throw new AppError('cap.prompt', { params: { owner, name, limit, need: promptTokens } })
}

/** Returns the largest of each of the answers of a call that sets no limit; null: no cap. */
export function outputCap(caps: Caps, { choices }: Pick<CallView, 'choices'>): number | null {
  const limits = caps.filter(({ measure }) => measure === 'completion_tokens').map(({ limit }) => limit)
  return limits.length === 0 ? null : Math.max(1, Math.floor(Math.min(...limits) / choices))
}

/** Returns what a call may hold within the caps on its price. @throws AppError `cap.price`. */
export function withinPriceCaps(caps: Caps, holdRange: HoldRange): HoldRange {
  let range = holdRange
  for (const { owner, name, measure, limit } of caps) {
    if (measure !== 'quota' || limit >= range.max) continue
    if (range.min > limit) throw new AppError('cap.price', { params: { owner, name, limit, need: range.min } })
    range = { ...range, max: limit, ...(range.fair !== undefined && { fair: Math.min(range.fair, limit) }) }
  }
  return range
}
