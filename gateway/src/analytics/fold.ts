import type { Database, Queries, Transaction } from '../store/database'
import { spans } from './dimensions'
import { hasOutdatedWorker } from './folds'
import { keepChargesOut } from './lock'

/** How the hourly sums are added up in one more way, a piece of time after the other. */
export interface Fold {
  /** Of the sums that are made. */
  readonly number: number
  /** Seconds of time that are added at once: whole hours. */
  readonly step: number
  /** Whether all that is read for it is there for the hours before `until`. Default: the hourly sums alone are read. */
  isReady?(query: Queries, until: number): Promise<boolean>
  /** Add the step that begins at `start`. */
  add(transaction: Transaction, start: number): Promise<void>
}

/**
 * Add the oldest step that is not yet there, if its hours all begin before `before` (seconds). False: there is none, or it must wait.
 * What is charged to that time later adds itself, see `addToSums`.
 */
export const foldNext = (database: Database, fold: Fold, before: number): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    await keepChargesOut(transaction, database.kind)
    const hour = await nextHour(transaction, fold.number)
    if (hour === undefined) return false
    const start = hour - (hour % fold.step)
    const until = start + fold.step
    if (until - spans.hour >= before) return false
    if (fold.isReady && !(await fold.isReady(transaction, until))) return false
    // Whoever does not add late charges may have come meanwhile.
    if (await hasOutdatedWorker(transaction, fold.number)) return false
    await fold.add(transaction, start)
    await transaction.updateTable('usage_folds').set({ until }).where('dimension', '=', fold.number).execute()
    return true
  })

/** The oldest hour with sums that a fold has not reached. */
async function nextHour(query: Queries, number: number): Promise<number | undefined> {
  const row = await query
    .selectFrom('rollups')
    .select('hour')
    .where('hour', '>=', (eb) => eb.selectFrom('usage_folds').select('until').where('dimension', '=', number))
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  return row?.hour
}
