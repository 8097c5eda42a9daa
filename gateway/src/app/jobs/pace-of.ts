import type { Context } from '../../context'
import { createPace, type Pace } from '../../platform/store/pace'

/** Returns the pace of a worker that handles calls as well. */
export const paceOf = (
  { database, clock, timers, metrics }: Pick<Context, 'database' | 'clock' | 'timers' | 'metrics'>,
  signal: AbortSignal,
): Pace => createPace({ kind: database.kind, clock, timers, calls: () => metrics.answeredCalls, signal })
