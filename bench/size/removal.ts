import { sql } from 'kysely'

import { removeLogs } from '../../gateway/src/operations/retention/remove-logs'
import { openBusySqlite } from '../../gateway/src/platform/store/database'
import { YieldingPace, type Pace } from '../../gateway/src/platform/store/pace'
import { systemClock } from '../../gateway/src/platform/time/clock'
import { systemTimers } from '../../gateway/src/platform/time/timers'
import { quantile } from '../quantile'

const seconds = 30

/** Milliseconds, the median, 99 of 100, and the longest. */
interface Times {
  readonly median: number
  readonly p99: number
  readonly max: number
}

interface RemovalCost {
  readonly rows: number
  /** How long the loop that serves calls was kept from its next turn while rows were removed, */
  readonly heldByRemoval: Times
  /** and for as long a time without: what the machine adds to anything. */
  readonly heldByOthers: Times
  /** How long a part took on its thread, for which writers wait, but no call. */
  readonly parts: Times
}

/** Removes the oldest log rows of a SQLite file for half a minute, as the gateway does where there are no calls. */
export async function measureRemoval(path: string): Promise<RemovalCost> {
  const database = openBusySqlite(path, 'process')
  const { rows } = await sql<{ last: number }>`select max(created_at) as last from logs`.execute(database.query)
  const pace = new YieldingPace({ ...database, clock: systemClock, timers: systemTimers, calls: () => 0 })
  const parts: number[] = []
  const measured: Pace = {
    get rows() {
      return pace.rows
    },
    part: (work) =>
      pace.part(async () => {
        const beganAt = performance.now()
        const result = await work()
        parts.push(performance.now() - beganAt)
        return result
      }),
  }
  const heldByOthers = await heldDuring(() => Bun.sleep(seconds * 1000))
  let count = 0
  const heldByRemoval = await heldDuring(async () => {
    const until = performance.now() + seconds * 1000
    const isOver = () => performance.now() > until
    const removal = { before: rows[0]?.last ?? 0, pace: measured, isOver }
    count = (await removeLogs({ kind: database.kind, query: database.removal }, removal)).count
  })
  await database.close()
  return { rows: count, heldByRemoval, heldByOthers, parts: timesOf(parts) }
}

/** Measures how late the loop comes to a timer of a millisecond, again and again, until work is done. */
async function heldDuring(work: () => Promise<unknown>): Promise<Times> {
  const held: number[] = []
  const end = new AbortController()
  const watch = async () => {
    while (!end.signal.aborted) {
      const beganAt = performance.now()
      await Bun.sleep(1)
      held.push(performance.now() - beganAt - 1)
    }
  }
  const watched = watch()
  await work()
  end.abort()
  await watched
  return timesOf(held)
}

function timesOf(values: readonly number[]): Times {
  const sorted = Float64Array.from(values).sort()
  return { median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) }
}
