import { sql } from 'kysely'

import type { Queries } from '../../../platform/store/database'

/** A place among all periods, which are in the order of their ends: jobs go through them a part at a time. */
export interface PeriodPlace {
  readonly endsAt: number
  readonly id: number
}

/** Returns the place before the first period that ends at this second or later. */
export const placeBefore = (endsAt: number): PeriodPlace => ({ endsAt, id: 0 })

/** Returns what selects the periods after a place. */
export const isAfter = ({ endsAt, id }: PeriodPlace) =>
  sql<boolean>`(window_periods.ends_at, window_periods.id) > (${endsAt}, ${id})`

/** Returns what selects the periods up to a place. */
export const isUpTo = ({ endsAt, id }: PeriodPlace) =>
  sql<boolean>`(window_periods.ends_at, window_periods.id) <= (${endsAt}, ${id})`

/** Resolves with the place of the last of `rows` periods after a place; null where fewer follow. */
export async function placeAfter(query: Queries, place: PeriodPlace, rows: number): Promise<PeriodPlace | null> {
  const found = await query
    .selectFrom('window_periods')
    .select(['ends_at as endsAt', 'id'])
    .where(isAfter(place))
    .orderBy('ends_at')
    .orderBy('id')
    .offset(rows - 1)
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}
