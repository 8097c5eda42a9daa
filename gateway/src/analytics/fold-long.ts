import { sql, type RawBuilder } from 'kysely'

import type { Queries, Transaction } from '../store/database'
import { dimensions, figures, spans, type DimensionName } from './dimensions'
import type { Fold } from './fold'
import { longSpans, type LongSums } from './long-sums'
import { pairSpans, type Pair } from './pairs'

/** By longer times, a third of a day once what they are made of has come that far. */
export const longFold = (long: LongSums): Fold => ({
  number: long.number,
  step: longSpans.third,
  isReady: (query, until) => areMade(query, long, until),
  async add(transaction, third) {
    for (const span of long.spans) await addThird(transaction, long, span, third)
  },
})

/** Whether all that is read for them is added up. */
async function areMade(query: Queries, long: LongSums, until: number): Promise<boolean> {
  const numbers = 'pair' in long ? [long.pair.number, dimensions[long.pair.one]] : [dimensions[long.column]]
  const made = await query
    .selectFrom('usage_folds')
    .select('dimension')
    .where('dimension', 'in', numbers)
    .where('until', '>=', until)
    .execute()
  return made.length === numbers.length
}

async function addThird(transaction: Transaction, long: LongSums, span: number, third: number): Promise<void> {
  const { table, number, values, rows } = sourceOf(long, span, third)
  const key = sql`${sql.ref(number)}, span, ${sql.join(values.map((name) => sql.ref(name)))}, start`
  const columns = sql.join(values.map((name) => sql.ref(name)))
  const names = sql.join(figures.map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${key}, ${names})
    select ${sql.lit(long.number)}, ${sql.lit(span)}, ${columns}, ${sql.lit(third - (third % span))},
      ${sql.join(figures.map((name) => sql`sum(${sql.ref(name)})`))}
    from ${sql.table(table)} where ${rows} group by ${columns}
    on conflict (${key}) do update set ${sql.join(
      figures.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
    )}`.execute(transaction)
}

interface Source {
  readonly table: 'usage_sums' | 'usage_pairs'
  /** The column of the number. */
  readonly number: string
  /** The columns of the values. */
  readonly values: readonly string[]
  readonly rows: RawBuilder<unknown>
}

function sourceOf(long: LongSums, span: number, third: number): Source {
  if ('pair' in long) return { ...pairTable, rows: thirdOfPair(long.pair, third) }
  // Thirds come first, and longer times are made of them.
  return { ...columnTable, rows: span === longSpans.third ? hoursOf(long.column, third) : thirdOf(long.number, third) }
}

const columnTable = { table: 'usage_sums', number: 'dimension', values: ['key'] } as const
const pairTable = { table: 'usage_pairs', number: 'pair', values: ['one', 'other'] } as const

const hoursOf = (name: DimensionName, third: number) => sql`dimension = ${sql.lit(dimensions[name])}
  and span = ${sql.lit(spans.hour)} and start >= ${third} and start < ${third + longSpans.third}`

const thirdOf = (number: number, third: number) =>
  sql`dimension = ${sql.lit(number)} and span = ${sql.lit(longSpans.third)} and start = ${third}`

/** Rows of pairs stand by the first value before the time, so that the values there are in this time come first. */
const thirdOfPair = ({ number, one }: Pair, third: number) =>
  sql`pair = ${sql.lit(number)} and span = ${sql.lit(pairSpans.third)} and start = ${third}
    and one in (select key from usage_sums where ${hoursOf(one, third)})`
