import { sql } from 'kysely'

import type { Database, Queries } from '../store/database'
import { keepChargesOut } from './lock'

/** Nobody reads these sums any more, and late charges are not added. What is there goes before they begin anew: see `clearSums`. */
export const forgetSums = (database: Database, number: number): Promise<void> =>
  database.query.transaction().execute(async (transaction) => {
    await keepChargesOut(transaction, database.kind)
    await transaction.updateTable('usage_folds').set({ until: 0 }).where('dimension', '=', number).execute()
  })

/** Remove so many rows of sums that nothing is added up for. Answers how many there were. */
export async function clearSums(query: Queries, number: number, limit: number): Promise<number> {
  const fold = await query.selectFrom('usage_folds').select('until').where('dimension', '=', number).executeTakeFirst()
  if ((fold?.until ?? 0) > 0) return 0
  const ofColumns = await sql`delete from usage_sums where (dimension, span, start, key) in (
    select dimension, span, start, key from usage_sums where dimension = ${number} limit ${limit})`.execute(query)
  const ofPairs = await sql`delete from usage_pairs where (pair, span, one, start, other) in (
    select pair, span, one, start, other from usage_pairs where pair = ${number} limit ${limit})`.execute(query)
  const ofPacks = await sql`delete from usage_packs where (pack, value, day) in (
    select pack, value, day from usage_packs where pack = ${number} limit ${limit})`.execute(query)
  return [ofColumns, ofPairs, ofPacks].reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows), 0)
}
