import { sql } from 'kysely'

import { dimensionNames, dimensions, type DimensionName } from '../../billing/analytics/rollups'
import { packOf } from '../../billing/analytics/measures/packs'
import type { Database, Transaction } from '../../platform/store/database'
import { noteRemoval } from './read-retained-since'
import { partOf, removeInParts, type Part, type Removal, type Removed } from './remove-in-parts'

/**
 * Removes the hourly rollups, and what is made of them: sums by column and measures. What users and channels used in that time is kept as one
 * sum for each pair of them, so that balances, statements and checks stay whole.
 */
export async function removeSums(database: Database, removal: Removal): Promise<Removed> {
  const { before } = removal
  await noteRemoval(database.query, 'sums', before)
  const rollups = await removeInParts(removal, (rows) => removeRollups(database, before, rows))
  let { count, isDone } = rollups
  const byKey = [keysPart(database, 'key_rollups', 'hour'), keysPart(database, 'key_days', 'day')]
  const byColumn = dimensionNames.flatMap((name) => [
    sumsPart(database, 'hourly_sums', name),
    sumsPart(database, 'daily_sums', name),
    packsPart(database, name),
  ])
  for (const removePart of [...byKey, ...byColumn]) {
    if (!isDone) break
    const removed = await removeInParts({ ...removal, onProgress: undefined }, (rows) => removePart(before, rows))
    count += removed.count
    isDone = removed.isDone
  }
  return { count, isDone }
}

interface RollupRow extends RemovedTotal {
  readonly hour: number
}

/** What a user used at a channel, in hours without rollups of their own. */
interface RemovedTotal {
  readonly user_id: number
  readonly channel_id: number
  readonly quota: number
  readonly count: number
}

const rollupKey = columns(['hour', 'user_id', 'token_name', 'model_name', 'channel_id', 'group'])

const removeRollups = (database: Database, before: number, limit: number): Promise<Part> =>
  database.removal.transaction().execute(async (transaction) => {
    const { rows } = await sql<RollupRow>`delete from rollups where (${rollupKey}) in
      (select ${rollupKey} from rollups where hour < ${before} order by hour limit ${limit})
      returning hour, user_id, channel_id, quota, count`.execute(transaction)
    await keepTotals(transaction, rows)
    return partOf(rows.map(({ hour }) => hour))
  })

/** Adds to what users and channels used in hours without rollups. */
export async function keepTotals(transaction: Transaction, rows: readonly RemovedTotal[]): Promise<void> {
  const totals = new Map<string, RemovedTotal>()
  for (const { user_id, channel_id, quota, count } of rows) {
    const key = `${user_id} ${channel_id}`
    const known = totals.get(key) ?? { user_id, channel_id, quota: 0, count: 0 }
    totals.set(key, { user_id, channel_id, quota: known.quota + quota, count: known.count + count })
  }
  if (totals.size === 0) return
  await transaction
    .insertInto('removed_sums')
    .values([...totals.values()])
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'channel_id']).doUpdateSet((eb) => ({
        quota: eb('removed_sums.quota', '+', eb.ref('excluded.quota')),
        count: eb('removed_sums.count', '+', eb.ref('excluded.count')),
      })),
    )
    .execute()
}

type RemovePart = (before: number, limit: number) => Promise<Part>

function sumsPart({ removal }: Database, table: 'hourly_sums' | 'daily_sums', name: DimensionName): RemovePart {
  const key = columns(['dimension', 'start', 'key'])
  const all = sql.table(table)
  return async (before, limit) => {
    const { rows } = await sql<{ start: number }>`delete from ${all} where (${key}) in
      (select ${key} from ${all} where dimension = ${sql.lit(dimensions[name])} and start < ${before}
        order by start limit ${limit})
      returning start`.execute(removal)
    return partOf(rows.map(({ start }) => start))
  }
}

function keysPart({ removal }: Database, table: 'key_rollups' | 'key_days', start: 'hour' | 'day'): RemovePart {
  const key = columns([start, 'channel_id', 'upstream_key'])
  const [all, time] = [sql.table(table), sql.ref(start)]
  return async (before, limit) => {
    const { rows } = await sql<{ start: number }>`delete from ${all} where (${key}) in
      (select ${key} from ${all} where ${time} < ${before} order by ${time} limit ${limit})
      returning ${time} as start`.execute(removal)
    return partOf(rows.map(({ start }) => start))
  }
}

/** Packs are found by their value first, so each part begins where the one before ended. */
function packsPart({ removal }: Database, name: DimensionName): RemovePart {
  let from = ''
  return async (before, limit) => {
    const rows = await removal
      .selectFrom('usage_packs')
      .select(['value', 'day'])
      .where('pack', '=', packOf(name))
      .where('value', '>=', from)
      .where('day', '<', before)
      .orderBy('value')
      .orderBy('day')
      .limit(limit)
      .execute()
    for (const { value, day } of rows) {
      await removal
        .deleteFrom('usage_packs')
        .where('pack', '=', packOf(name))
        .where('value', '=', value)
        .where('day', '=', day)
        .execute()
    }
    from = rows.at(-1)?.value ?? from
    return partOf(rows.map(({ day }) => day))
  }
}

function columns(names: readonly string[]) {
  return sql.join(names.map((name) => sql.ref(name)))
}
