import type { Queries } from '../../../platform/store/database'

/** A place among all periods, which are in the order of their ends: jobs go through them a part at a time. */
export interface PeriodPlace {
  readonly endsAt: number
  readonly id: number
}

/** Returns the place before the first period that ends at this second or later. */
export const placeBefore = (endsAt: number): PeriodPlace => ({ endsAt, id: 0 })

/**
 * Resolves with the next periods after a place, `rows` at most, that end before a time. Those of the same end apart: of all limits of a day they
 * end together, and SQLite does not go to a pair of end and id in an index.
 */
export async function periodsAfter(
  query: Queries,
  { endsAt, id }: PeriodPlace,
  rows: number,
  until = Infinity,
): Promise<PeriodPlace[]> {
  const periods = query
    .selectFrom('window_periods')
    .select(['ends_at as endsAt', 'id'])
    .orderBy('ends_at')
    .orderBy('id')
  const together =
    endsAt < until ? await periods.where('ends_at', '=', endsAt).where('id', '>', id).limit(rows).execute() : []
  if (together.length === rows) return together
  const later = await periods
    .where('ends_at', '>', endsAt)
    .$if(until !== Infinity, (some) => some.where('ends_at', '<', until))
    .limit(rows - together.length)
    .execute()
  return [...together, ...later]
}
