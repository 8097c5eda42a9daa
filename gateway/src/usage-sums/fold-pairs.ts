import { sql } from 'kysely'

import type { Database, Queries, Transaction } from '../store/database'
import { figures, spans } from './dimensions'
import { nextHour } from './fold'
import { keepChargesOut } from './lock'
import { pairs, pairSpans, type Pair } from './pairs'
import { foldUntil } from './read-sums'

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
    if (await isSomebodyUnaware(transaction)) return false
    for (const span of Object.values(pairSpans)) await addHour(transaction, pair, span, hour)
    await transaction
      .updateTable('usage_folds')
      .set({ until: hour + spans.hour })
      .where('dimension', '=', pair.number)
      .execute()
    return true
  })

/** A worker of an earlier release, which charges late without adding to these sums. */
export async function isSomebodyUnaware(query: Queries): Promise<boolean> {
  const worker = await query.selectFrom('workers').select('id').where('adds_pairs', '=', 0).limit(1).executeTakeFirst()
  return worker !== undefined
}

/** Nobody reads them any more, and late charges are not added. What is there goes before they begin anew: see `clearPairs`. */
export const forgetPairs = (database: Database): Promise<void> =>
  database.query.transaction().execute(async (transaction) => {
    await keepChargesOut(transaction, database.kind)
    const numbers = pairs.map(({ number }) => number)
    await transaction.updateTable('usage_folds').set({ until: 0 }).where('dimension', 'in', numbers).execute()
  })

/** Remove so many rows of a pair that nothing is added up for. Answers how many there were. */
export async function clearPair(query: Queries, { number }: Pair, limit: number): Promise<number> {
  if ((await foldUntil(query, number)) > 0) return 0
  const { numAffectedRows } = await sql`delete from usage_pairs where (pair, span, one, start, other) in (
    select pair, span, one, start, other from usage_pairs where pair = ${number} limit ${limit})`.execute(query)
  return Number(numAffectedRows)
}

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
