import { daySeconds, hourMs, hourSeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Context } from '../../context'
import { sumHeldPeriods } from '../../billing/ledger/window/held-windows'
import type { Database } from '../../platform/store/database'
import { paceOf, type Job } from './job'

/** A day has 22 hours at least, wherever clocks change. */
const minDaySeconds = 22 * hourSeconds
const shortRetentionSeconds = 2 * daySeconds
/** Older short periods, which were in a lease or a hold all this time, go with the long ones: no run reads all of those. */
const shortLookedBackSeconds = 14 * daySeconds
const retentionSeconds = 400 * daySeconds

type Deps = Pick<Context, 'clock' | 'database' | 'metrics' | 'timers'>

/**
 * Removes windows of deleted keys and users, periods that ended long ago, and those of windows that were gone at the last run: no worker
 * draws on them any more. What is leased or held stays until it is given back.
 */
export function pruneWindows(deps: Deps, makePace = paceOf): Job {
  let goneBefore: ReadonlySet<number> = new Set()
  return {
    name: 'prune-windows',
    everyMs: hourMs,
    async run(signal) {
      const { clock, database } = deps
      const pace = makePace(deps, signal)
      await pace.part(() => removeWindowsOfDeleted(database))
      const gone = new Set(await pace.part(() => windowsGone(database)))
      const wasGone = [...gone].filter((id) => goneBefore.has(id))
      goneBefore = gone
      while (!signal.aborted) {
        const { rows } = pace
        const removed = await pace.part(() => removePeriods(database, { now: clock.seconds(), gone: wasGone, rows }))
        if (removed < rows) return
      }
    },
  }
}

async function removeWindowsOfDeleted({ longRunning }: Database): Promise<void> {
  for (const [owner, table] of [
    ['token', 'tokens'],
    ['user', 'users'],
  ] as const)
    await longRunning
      .deleteFrom('windows')
      .where('owner', '=', owner)
      .where(sql<boolean>`ref not in (select cast(id as text) from ${sql.table(table)} where deleted_at is null)`)
      .execute()
}

/** Resolves with the ids of windows that are gone and have periods. */
async function windowsGone({ longRunning }: Database): Promise<number[]> {
  const rows = await longRunning
    .selectFrom('window_periods')
    .select('window_id')
    .distinct()
    .where('window_id', 'not in', (eb) => eb.selectFrom('windows').select('id'))
    .execute()
  return rows.map(({ window_id: id }) => id)
}

interface Part {
  readonly now: number
  readonly gone: readonly number[]
  readonly rows: number
}

/** Resolves with how many were removed. */
async function removePeriods({ longRunning }: Database, { now, gone, rows }: Part): Promise<number> {
  const held = [...(await sumHeldPeriods(longRunning)).keys()]
  const { numDeletedRows } = await longRunning
    .deleteFrom('window_periods')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('window_periods as period')
        .select('period.id')
        .where((period) =>
          period.or([
            period.and([
              period('period.ends_at', '<', now - shortRetentionSeconds),
              period('period.ends_at', '>=', now - shortLookedBackSeconds),
              sql<boolean>`period.ends_at - period.starts_at < ${sql.lit(minDaySeconds)}`,
            ]),
            period('period.ends_at', '<', now - retentionSeconds),
            ...(gone.length > 0 ? [period('period.window_id', 'in', gone)] : []),
          ]),
        )
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('leases')
                .select('leases.id')
                .where('kind', '=', 'window')
                .whereRef('ref_id', '=', 'period.id'),
            ),
          ),
        )
        .$if(held.length > 0, (periods) => periods.where('period.id', 'not in', held))
        .limit(rows),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
