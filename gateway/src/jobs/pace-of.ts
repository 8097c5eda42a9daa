import type { Context } from '../context'
import { createPace, type Pace } from '../store/pace'

/** Returns the pace of a worker that handles calls as well. */
export const paceOf = (
  { database, clock, metrics }: Pick<Context, 'database' | 'clock' | 'metrics'>,
  signal: AbortSignal,
): Pace => createPace({ kind: database.kind, clock, calls: () => metrics.answeredCalls, signal })
