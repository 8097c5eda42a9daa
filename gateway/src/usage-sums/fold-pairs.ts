import { sql } from 'kysely'

import type { Database, Transaction } from '../store/database'
import { figures, spans } from './dimensions'
import { nextHour } from './fold'
import { isSomebodyUnaware } from './folds'
import { keepChargesOut } from './lock'
import { pairSpans, type Pair } from './pairs'

/**
 * Add the oldest hour that is not yet among the sums of a pair, if it begins before `before` (seconds). False: there is none.
 * What is charged to that hour later adds itself.
 */
export const foldPair = (database: Database, pair: Pair, before: number): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    await keepChargesOut(transaction, database.kind)
    const hour = await nextHour(transaction, pair.number)
    if (hour === undefined || hour >= before) return false
    // Whoever does not add late charges may have come meanwhile.
    if (await isSomebodyUnaware(transaction, pair.number)) return false
    for (const span of Object.values(pairSpans)) await addHour(transaction, pair, span, hour)
    await transaction
      .updateTable('usage_folds')
      .set({ until: hour + spans.hour })
      .where('dimension', '=', pair.number)
      .execute()
    return true
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
