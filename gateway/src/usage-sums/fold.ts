import { sql } from 'kysely'

import type { Database, Queries, Transaction } from '../store/database'
import { dimensions, figures, spans, type DimensionName } from './dimensions'
import { keepChargesOut } from './lock'

/**
 * Add the oldest hour that is not yet among the sums of a column, if it begins before `before` (seconds). False: there is
 * none. What is charged to that hour later adds itself to the sums, see `addToSums`.
 */
export const foldHour = (database: Database, dimension: DimensionName, before: number): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    await keepChargesOut(transaction, database.kind)
    const hour = await nextHour(transaction, dimensions[dimension])
    if (hour === undefined || hour >= before) return false
    await sumHour(transaction, dimension, hour)
    await addToDay(transaction, dimension, hour)
    await transaction
      .updateTable('usage_folds')
      .set({ until: hour + spans.hour })
      .where('dimension', '=', dimensions[dimension])
      .execute()
    return true
  })

/** The oldest hour with sums that a fold has not reached. */
export async function nextHour(query: Queries, fold: number): Promise<number | undefined> {
  const row = await query
    .selectFrom('rollups')
    .select('hour')
    .where('hour', '>=', (eb) => eb.selectFrom('usage_folds').select('until').where('dimension', '=', fold))
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  return row?.hour
}

const names = sql.join(figures.map((name) => sql.ref(name)))
const columns = sql`dimension, span, start, key, ${names}`

async function sumHour(transaction: Transaction, dimension: DimensionName, hour: number): Promise<void> {
  const column = sql.ref(dimension)
  await sql`insert into usage_sums (${columns})
    select ${sql.lit(dimensions[dimension])}, ${sql.lit(spans.hour)}, ${hour}, cast(${column} as text),
      ${sql.join(figures.map((name) => sql`sum(${sql.ref(name)})`))}
    from rollups where hour = ${hour} group by ${column}`.execute(transaction)
}

async function addToDay(transaction: Transaction, dimension: DimensionName, hour: number): Promise<void> {
  const day = hour - (hour % spans.day)
  await sql`insert into usage_sums (${columns})
    select dimension, ${sql.lit(spans.day)}, ${sql.lit(day)}, key, ${names} from usage_sums
    where dimension = ${sql.lit(dimensions[dimension])} and span = ${sql.lit(spans.hour)} and start = ${hour}
    on conflict (dimension, span, start, key) do update set ${added}`.execute(transaction)
}

/** Of an insert that meets a row: the figures of both. */
const added = sql.join(
  figures.map((name) => sql`${sql.ref(name)} = usage_sums.${sql.ref(name)} + excluded.${sql.ref(name)}`),
)
