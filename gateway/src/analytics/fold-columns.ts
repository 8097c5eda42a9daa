import { sql } from 'kysely'

import type { Transaction } from '../store/database'
import { dimensions, figures, spans, type DimensionName } from './dimensions'
import type { Fold } from './fold'

/** By the values of one column. */
export const columnFold = (column: DimensionName): Fold => ({
  number: dimensions[column],
  step: spans.hour,
  async add(transaction, hour) {
    await sumHour(transaction, column, hour)
    await addToDay(transaction, column, hour)
  },
})

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
