import type { Phrase } from '@tollgate/contract'

import { AppError } from '../../../platform/app-error'
import type { Clock } from '../../../platform/time/clock'
import type { RefusalOf } from '../lease/waiting-calls'
import type { LimitWindow } from './limit-window'
import { endless, type Span } from './schedule'

/** The refusal of a call for which too little is left of a window. */
export class WindowError extends AppError {
  constructor(
    readonly window: LimitWindow,
    readonly period: Span,
    readonly remaining: number,
    now: number,
  ) {
    const { owner, name, measure, limit } = window
    const seconds = period.endsAt === endless ? undefined : Math.max(1, period.endsAt - now)
    super('quota.window', {
      params: {
        owner,
        name,
        limit,
        used: Math.max(0, limit - remaining),
        measure: { code: `measure.${measure}` },
        reset: resetPhrase(window, period),
      },
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    })
  }
}

export const refusalOfWindow =
  (window: LimitWindow, period: Span, clock: Clock): RefusalOf =>
  (balance) =>
    new WindowError(window, period, Math.max(0, balance), clock.seconds())

/** Calls at the same time end whenever they end: it is worth asking again after this. */
const concurrentSeconds = 1

/** Returns the Unix second from which a window that is full may have room; null where it never begins anew. */
export function freeAgainAt({ measure }: LimitWindow, { endsAt }: Span, now: number): number | null {
  if (measure === 'concurrent') return now + concurrentSeconds
  return endsAt === endless ? null : endsAt
}

function resetPhrase({ schedule, measure }: LimitWindow, { endsAt }: Span): Phrase {
  if (endsAt === endless || schedule.span === 'range' || measure === 'concurrent') return { code: 'window.never_anew' }
  return { code: 'window.begins_anew', params: { time: new Date(endsAt * 1000).toISOString().replace('.000Z', 'Z') } }
}
