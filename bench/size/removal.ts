import { sql } from 'kysely'

import { removeLogs } from '../../gateway/src/operations/retention/remove-logs'
import { openBusySqlite } from '../../gateway/src/platform/store/database'
import { YieldingPace, type Pace } from '../../gateway/src/platform/store/pace'
import { systemClock } from '../../gateway/src/platform/time/clock'
import { systemTimers } from '../../gateway/src/platform/time/timers'
import { quantile } from '../quantile'

const seconds = 30

interface RemovalCost {
  readonly rows: number
  /** Milliseconds of a part, for which a call would wait. */
  readonly median: number
  readonly p99: number
  readonly max: number
  /** The same of steps of 2 ms that only compute: what the machine adds to anything. */
  readonly maxOfOthers: number
}

/** Removes the oldest log rows of a SQLite file for half a minute, as the gateway does where there are no calls. */
export async function measureRemoval(path: string): Promise<RemovalCost> {
  const database = openBusySqlite(path, 'process')
  const { rows } = await sql<{ last: number }>`select max(created_at) as last from logs`.execute(database.query)
  const pace = new YieldingPace({ ...database, clock: systemClock, timers: systemTimers, calls: () => 0 })
  const parts: number[] = []
  const others: number[] = []
  const measured: Pace = {
    get rows() {
      return pace.rows
    },
    part: (work) =>
      pace.part(async () => {
        others.push(computeFor(2))
        const beganAt = performance.now()
        const result = await work()
        parts.push(performance.now() - beganAt)
        return result
      }),
  }
  const until = performance.now() + seconds * 1000
  const isOver = () => performance.now() > until
  const removed = await removeLogs(database, { before: rows[0]?.last ?? 0, pace: measured, isOver })
  await database.close()
  const sorted = Float64Array.from(parts).sort()
  return {
    rows: removed.count,
    median: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    max: quantile(sorted, 1),
    maxOfOthers: Math.max(...others),
  }
}

/** Computes for some milliseconds, and returns how long that took. */
function computeFor(ms: number): number {
  const beganAt = performance.now()
  let now = beganAt
  while (now - beganAt < ms) now = performance.now()
  return now - beganAt
}
