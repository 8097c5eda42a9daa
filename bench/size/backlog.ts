import { sql } from 'kysely'

import { chargeRetentionSeconds } from '../../gateway/src/app/jobs/prune'
import type { Database, DatabaseKind } from '../../gateway/src/platform/store/database'
import { spans } from '../../gateway/src/billing/analytics/rollups'
import { leaveBatches } from '../fill/rows'

/** A site's work that is to be done beside calls. */
export interface Backlog {
  readonly database: Database
  /** Before it, in seconds, lie the oldest rows of the log: as many as are not deleted while one phase of calls lasts. */
  oldestPart(): Promise<number>
}

const oldRows: Readonly<Record<DatabaseKind, number>> = { sqlite: 20_000, postgres: 30_000 }
const oldCharges = 100_000
const secondsNotAdded = spans.day
/** Longer than the gateway waits before it adds up an hour, in seconds. */
const settling = 900

export const backlogOf = (database: Database): Backlog => ({
  database,
  async oldestPart() {
    const row = await database.query
      .selectFrom('logs')
      .select('created_at')
      .orderBy('created_at')
      .limit(1)
      .offset(oldRows[database.kind])
      .executeTakeFirst()
    return row?.created_at ?? 0
  },
})

const seconds = () => Math.floor(Date.now() / 1000)

/** Take the last day out of the sums and the packs of measures, and add marks of charges that are too old. While no gateway runs. */
export async function leaveWork({ database }: Backlog): Promise<void> {
  const { query, kind } = database
  const from = seconds() - secondsNotAdded
  const day = from - (from % spans.day)
  // Measures of those calls wait to be packed again.
  await query.deleteFrom('usage_packs').where('day', '>=', day).where('pack', '>', 200).execute()
  await query.deleteFrom('measure_batches').where('hour', '>=', day).execute()
  await leaveBatches(database, day)
  await query.updateTable('sum_progress').set({ until: day }).where('until', '>', day).execute()
  const numbers =
    kind === 'sqlite'
      ? sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(oldCharges)}) select i from n)`
      : sql`generate_series(1, ${sql.lit(oldCharges)}) as n(i)`
  // SQLite looks for them where rows came first.
  const [rowid, place] = kind === 'sqlite' ? [sql`rowid, `, sql`-i, `] : [sql``, sql``]
  await sql`insert into charges (${rowid} request_id, user_id, token_id, channel_id, quota, created_at)
    select ${place} 'old' || i, 1, 1, 1, 1, ${seconds() - chargeRetentionSeconds - spans.day} from ${numbers}
    where true on conflict do nothing`.execute(query)
}

const pollIntervalMs = 500

/** The gateway has caught up. */
export async function isDone({ database: { query } }: Backlog): Promise<boolean> {
  const isOver = seconds() - 2 * spans.hour - settling
  const { rows: hours } = await sql`select 1 from sum_progress
    where exists (select 1 from rollups where hour >= until and hour < ${isOver})`.execute(query)
  const batch = query.selectFrom('measure_batches').select('id').where('hour', '<', isOver)
  const charge = query
    .selectFrom('charges')
    .select('request_id')
    .where('created_at', '<', seconds() - chargeRetentionSeconds)
  const [oldBatch, oldCharge] = [await batch.limit(1).executeTakeFirst(), await charge.limit(1).executeTakeFirst()]
  return hours.length === 0 && oldBatch === undefined && oldCharge === undefined
}

export async function untilDone(backlog: Backlog): Promise<void> {
  while (!(await isDone(backlog))) await Bun.sleep(pollIntervalMs)
}
