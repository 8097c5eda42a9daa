import type { Context } from '../context'
import type { Stage } from '../platform/telemetry/metrics/metrics'
import type { CallTrace } from '../platform/telemetry/tracing/tracing'

/** The gateway's own time on one call, without the time of the upstream. */
export interface Timing {
  /** Milliseconds until now. */
  readonly ownMs: number
  /** Records that a stage which began at this monotonic time ended now. */
  spent(stage: Stage, since: number): void
}

export function startTiming(
  { clock, metrics }: Pick<Context, 'clock' | 'metrics'>,
  trace: Pick<CallTrace, 'stage'> | null,
): Timing {
  let ownMs = 0
  return {
    get ownMs() {
      return ownMs
    },
    spent(stage, since) {
      const milliseconds = clock.monotonic() - since
      ownMs += milliseconds
      metrics.spent(stage, milliseconds)
      trace?.stage(stage, milliseconds)
    },
  }
}

/** https://www.w3.org/TR/server-timing/ `gateway` is the gateway's own work so far, `upstream` the time to its first byte. */
export const serverTiming = ({ ownMs }: Timing, firstByteMs: number): string =>
  `gateway;dur=${ownMs.toFixed(3)}, upstream;dur=${Math.max(firstByteMs - ownMs, 0).toFixed(1)}`
