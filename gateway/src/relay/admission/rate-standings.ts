import type { Context } from '../../context'
import type { Payer, WindowRest } from '../../billing/ledger/ledger'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { endless } from '../../billing/ledger/window/schedule'
import type { WindowError } from '../../billing/ledger/window/window-refusal'
import type { Clock } from '../../platform/time/clock'
import type { IncomingCall, RateStanding } from '../call'

type NotedCall = Pick<IncomingCall, 'findings'>

/** Notes what is left of the windows that an admitted call draws from, as far as this worker knows: the narrowest is told to the client. */
export function noteWindows({ findings }: NotedCall, { windows }: Payer, ctx: Pick<Context, 'ledger' | 'clock'>): void {
  if (!windows) return
  for (const window of windows) {
    const unit = unitOf(window)
    const rest = unit && ctx.ledger.readRest(window)
    if (unit && rest && rest.remaining < (findings[unit]?.remaining ?? Infinity))
      findings[unit] = standingOf(window, rest, ctx.clock)
  }
}

/** Notes the window that refused a call, or sent it to another model. */
export function noteRefusal({ findings }: NotedCall, { window, remaining, period }: WindowError, clock: Clock): void {
  const unit = unitOf(window)
  if (unit) findings[unit] = standingOf(window, { remaining, endsAt: period.endsAt }, clock)
}

/** Returns which headers are for what a window counts; null: none are. */
const unitOf = ({ measure }: LimitWindow): 'requests' | 'tokens' | null =>
  measure === 'requests' ? 'requests' : measure === 'quota' || measure === 'concurrent' ? null : 'tokens'

/** A window with a grace has more left than its limit at first. */
function standingOf({ limit }: LimitWindow, { remaining, endsAt }: WindowRest, clock: Clock): RateStanding {
  const at = endsAt * 1000
  const reset = endsAt === endless ? null : { seconds: Math.max(1, Math.ceil((at - clock.now()) / 1000)), at }
  return { limit, remaining: Math.max(0, Math.min(limit, remaining)), reset }
}
