import type { Database, Transaction } from '../store/database'
import { keepFoldsOut } from '../analytics/lock'
import { addToPacks, addToPairs, addToRollups, addToSums } from './charge-statements'
import { packRows, pairRows, sumRows } from './late-sums'
import type { Parameter } from './row-statement'

/** Adds rows of `rollupRows` to the hourly sums, and to the sums of hours that are added up already. */
export type AddToRollups = (transaction: Transaction, rows: readonly (readonly Parameter[])[]) => Promise<void>

export function createAddToRollups({ kind, query }: Database): AddToRollups {
  const add = addToRollups(query)
  const addSums = addToSums(query)
  const addPairs = addToPairs(query)
  const addPacks = addToPacks(query)

  return async (transaction, rows) => {
    if (rows.length === 0) return
    await keepFoldsOut(transaction, kind)
    const results = await add.run(transaction, rows)
    if (results.every(({ is_late: isLate }) => !isLate)) return
    const folds = await transaction.selectFrom('usage_folds').selectAll().execute()
    const untils = new Map(folds.map(({ dimension, until }) => [dimension, until]))
    const untilOf = (number: number) => untils.get(number) ?? 0
    await addSums.run(transaction, sumRows(untilOf, rows))
    await addPairs.run(transaction, pairRows(untilOf, rows))
    await addPacks.run(transaction, packRows(untilOf, rows))
  }
}
