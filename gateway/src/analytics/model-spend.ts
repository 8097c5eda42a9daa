import type { Queries } from '../store/database'
import { openBooks } from './folds'
import type { Hours } from './hours'
import { foldedUntil, sumsByKey } from './read-sums'

/** Quota that calls of each model were charged in the hours: from the sums by model, then from the hourly rows that are not in them yet. */
export async function modelSpend(query: Queries, hours: Hours): Promise<ReadonlyMap<string, number>> {
  const books = await openBooks(query)
  const until = Math.max(hours.from, Math.min(hours.before, foldedUntil(books.folds, 'model_name')))
  const [summed, recent] = await Promise.all([
    sumsByKey(books, { dimension: 'model_name', filter: {}, hours: { from: hours.from, before: until } }),
    query
      .selectFrom('rollups')
      .where('hour', '>=', until)
      .where('hour', '<', hours.before)
      .select((eb) => ['model_name as key', eb.fn.sum<number>('quota').as('quota')])
      .groupBy('model_name')
      .execute(),
  ])
  const spend = new Map<string, number>()
  for (const { key, quota } of [...summed, ...recent]) spend.set(key, (spend.get(key) ?? 0) + quota)
  return spend
}
