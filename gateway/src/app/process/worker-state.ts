import type { LogLevel, systemRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Jobs } from '../jobs/jobs'
import { residentBytes } from '../../platform/telemetry/metrics/process-series'
import type { Reading } from '../../platform/telemetry/metrics/series'

interface StateDeps {
  readonly workerId: string
  readonly inFlight: { readonly count: number }
  readonly jobs: Pick<Jobs, 'isLeader' | 'runs'>
}

/** Returns what the System page shows of this worker. */
export function workerState(ctx: Context, { workerId, inFlight, jobs }: StateDeps): systemRoutes.WorkerState {
  const { journalDepth, journalOldestSeconds } = ctx.ledger.stats()
  const { hits, misses, savedPrice, savedCost } = ctx.metrics.responseCache.totals
  const { entries, bytes } = ctx.responses.held
  const delays = ctx.metrics.read().find(({ name }) => name === 'tollgate_event_loop_delay_seconds')
  return {
    id: workerId,
    pid: process.pid,
    uptime_seconds: Math.round(process.uptime()),
    memory_bytes: residentBytes(),
    calls_in_flight: inFlight.count,
    loop_delay_mean_ms: meanMs(delays),
    loop_delay_p99_ms: quantileMs(delays, 0.99),
    journal_charges: journalDepth,
    journal_oldest_seconds: journalOldestSeconds,
    log_level: ctx.log.level as LogLevel,
    response_cache: {
      hits,
      misses,
      entries,
      bytes,
      saved_quota: savedPrice,
      saved_cost_quota: savedCost,
    },
    is_leader: jobs.isLeader,
    jobs: jobs.runs(),
  }
}

const sampleOf = (reading: Reading | undefined, ending: string): number =>
  reading?.samples.find(([series]) => series === `${reading.name}${ending}`)?.[1] ?? 0

function meanMs(reading: Reading | undefined): number | null {
  const count = sampleOf(reading, '_count')
  return count === 0 ? null : (sampleOf(reading, '_sum') / count) * 1000
}

/** Returns the upper bound of the bucket that contains the quantile; null above all bounds. */
function quantileMs(reading: Reading | undefined, quantile: number): number | null {
  const rank = sampleOf(reading, '_count') * quantile
  if (rank === 0) return null
  for (const [series, total] of reading?.samples ?? []) {
    const bound = Number(/_bucket\{le="([\d.]+)"\}$/.exec(series)?.[1] ?? Number.NaN)
    if (total >= rank && bound >= 0) return bound * 1000
  }
  return null
}
