import { sql } from 'kysely'

import type { Database, Queries, Transaction } from '../../platform/store/database'
import { lockRollups } from '../../platform/store/lock'
import { dimensionNames, dimensions, figures, marginFigures, spans, type DimensionName } from './rollups'

/**
 * Adds up the oldest hour that is not yet in the sums by a column, if it begins before `before` (seconds). Resolves with whether there was
 * one. Later charges to it mark it as stale.
 */
export const addNextHour = (database: Database, column: DimensionName, before: number): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    await lockRollups(transaction, database.kind)
    const until = await untilOf(transaction, column)
    const hour = await nextHour(transaction, until)
    if (hour === undefined || hour >= before) return false
    const day = hour - (hour % spans.day)
    await replaceHour(transaction, column, hour)
    // Left over from a day that was added up before the sums were cleared.
    if (until <= day) await remove(transaction, 'daily_sums', column, day)
    await addToDay(transaction, column, sql`start = ${hour}`, day)
    const progress = transaction.updateTable('sum_progress').set({ until: hour + spans.hour })
    await progress.where('dimension', '=', dimensions[column]).execute()
    return true
  })

/** Adds up the oldest stale hour again, by all columns. Resolves with whether there was one. */
export const addStaleHour = (database: Database): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    await lockRollups(transaction, database.kind)
    const stale = await transaction.selectFrom('stale_hours').select('hour').orderBy('hour').limit(1).executeTakeFirst()
    if (!stale) return false
    const { hour } = stale
    const day = hour - (hour % spans.day)
    for (const column of dimensionNames) {
      const until = await untilOf(transaction, column)
      if (hour >= until) continue
      await replaceHour(transaction, column, hour)
      await remove(transaction, 'daily_sums', column, day)
      await addToDay(transaction, column, sql`start >= ${day} and start < ${Math.min(day + spans.day, until)}`, day)
    }
    await transaction.deleteFrom('stale_hours').where('hour', '=', hour).execute()
    return true
  })

/** Resolves with the oldest hour that is not added up by every column; undefined where there is none. */
export async function oldestWaiting(query: Queries): Promise<number | undefined> {
  const { until } = await query
    .selectFrom('sum_progress')
    .select(({ fn }) => fn.min('until').as('until'))
    .executeTakeFirstOrThrow()
  return nextHour(query, until ?? 0)
}

async function untilOf(query: Queries, column: DimensionName): Promise<number> {
  const { until } = await query
    .selectFrom('sum_progress')
    .select('until')
    .where('dimension', '=', dimensions[column])
    .executeTakeFirstOrThrow()
  return until
}

async function nextHour(query: Queries, until: number): Promise<number | undefined> {
  const row = await query
    .selectFrom('rollups')
    .select('hour')
    .where('hour', '>=', until)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  return row?.hour
}

const summed = [...figures, ...marginFigures]
const names = sql.join(summed.map((name) => sql.ref(name)))
const sums = sql.join(summed.map((name) => sql`sum(${sql.ref(name)})`))

async function replaceHour(transaction: Transaction, column: DimensionName, hour: number): Promise<void> {
  await remove(transaction, 'hourly_sums', column, hour)
  const value = sql.ref(column)
  await sql`insert into hourly_sums (dimension, start, key, ${names})
    select ${sql.lit(dimensions[column])}, ${hour}, cast(${value} as text), ${sums}
    from rollups where hour = ${hour} group by ${value}`.execute(transaction)
}

/** Adds some hourly sums to those of their day. */
async function addToDay(
  transaction: Transaction,
  column: DimensionName,
  hours: ReturnType<typeof sql>,
  day: number,
): Promise<void> {
  const dimension = sql.lit(dimensions[column])
  const added = summed.map((name) => sql`${sql.ref(name)} = daily_sums.${sql.ref(name)} + excluded.${sql.ref(name)}`)
  await sql`insert into daily_sums (dimension, start, key, ${names})
    select dimension, ${sql.lit(day)}, key, ${sums} from hourly_sums
    where dimension = ${dimension} and ${hours} group by dimension, key
    on conflict (dimension, start, key) do update set ${sql.join(added)}`.execute(transaction)
}

const remove = (transaction: Transaction, table: 'hourly_sums' | 'daily_sums', column: DimensionName, start: number) =>
  transaction.deleteFrom(table).where('dimension', '=', dimensions[column]).where('start', '=', start).execute()
