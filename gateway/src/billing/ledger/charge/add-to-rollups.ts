import type { Database, Transaction } from '../../../platform/store/database'
import { keepSumsOut } from '../../../platform/store/rollup-lock'
import { addToRollups, markStale, type RollupRow } from './charge-statements'

/** Adds rows of `rollupRows` to the hourly rollups, and marks hours that were added up already as stale. */
export type AddToRollups = (transaction: Transaction, rows: readonly RollupRow[]) => Promise<void>

export function createAddToRollups({ kind, query }: Database): AddToRollups {
  const add = addToRollups(query)
  const mark = markStale(query)

  return async (transaction, rows) => {
    if (rows.length === 0) return
    await keepSumsOut(transaction, kind)
    const results = await add.run(transaction, rows)
    const late = new Set(results.flatMap(({ hour, is_late: isLate }) => (isLate ? [hour] : [])))
    await mark.run(
      transaction,
      [...late].toSorted((one, other) => one - other).map((hour) => ({ hour })),
    )
  }
}
