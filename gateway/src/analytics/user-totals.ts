import type { Queries } from '../store/database'
import { figures } from './dimensions'
import { openBooks } from './folds'
import type { Hours } from './hours'
import { foldedUntil, sumsByKey, type Figures } from './read-sums'

/** What users used in the hours: from the sums by user, and for the hours that are not in them yet from the hourly rows. */
export async function userTotals(
  query: Queries,
  hours: Hours,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Figures>> {
  if (userIds.length === 0) return new Map()
  const books = await openBooks(query)
  const until = Math.max(hours.from, Math.min(hours.before, foldedUntil(books.folds, 'user_id')))
  const folded = { from: hours.from, before: until }
  const [summed, recent] = await Promise.all([
    sumsByKey(books, { dimension: 'user_id', filter: {}, hours: folded, keys: userIds }),
    query
      .selectFrom('rollups')
      .where('user_id', 'in', [...userIds])
      .where('hour', '>=', until)
      .where('hour', '<', hours.before)
      .select((eb) => ['user_id as key', ...figures.map((name) => eb.fn.sum<number>(name).as(name))])
      .groupBy('user_id')
      .execute(),
  ])
  const found = new Map<number, Figures>()
  for (const { key, ...sums } of [...summed, ...recent]) {
    const known = found.get(Number(key))
    found.set(Number(key), known ? added(known, sums) : sums)
  }
  return found
}

const added = (one: Figures, other: Figures): Figures =>
  Object.fromEntries(figures.map((name) => [name, one[name] + other[name]])) as Figures
