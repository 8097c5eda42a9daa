import { sql } from 'kysely'

import type { Transaction } from '../store/database'
import { figures, spans } from './dimensions'
import type { Fold } from './fold'
import { pairSpans, type Pair } from './pairs'

/** By the values of two columns. */
export const pairFold = (pair: Pair): Fold => ({
  number: pair.number,
  step: spans.hour,
  async add(transaction, hour) {
    for (const span of Object.values(pairSpans)) await addHour(transaction, pair, span, hour)
  },
})

async function addHour(transaction: Transaction, { number, one, other }: Pair, span: number, hour: number) {
  const names = sql.join(figures.map((name) => sql.ref(name)))
  const [first, second] = [sql.ref(one), sql.ref(other)]
  await sql`insert into usage_pairs (pair, span, one, start, other, ${names})
    select ${sql.lit(number)}, ${sql.lit(span)}, cast(${first} as text), ${sql.lit(hour - (hour % span))}, cast(${second} as text),
      ${sql.join(figures.map((name) => sql`sum(${sql.ref(name)})`))}
    from rollups where hour = ${hour} group by ${first}, ${second}
    on conflict (pair, span, one, start, other) do update set ${sql.join(
      figures.map((name) => sql`${sql.ref(name)} = usage_pairs.${sql.ref(name)} + excluded.${sql.ref(name)}`),
    )}`.execute(transaction)
}
