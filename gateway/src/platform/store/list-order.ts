import { sql, type RawBuilder } from 'kysely'

/** How a list is sorted. */
export interface ListOrder {
  /** The value to sort by, rows without one last; undefined: newest first. */
  readonly by?: RawBuilder<unknown> | undefined
  readonly isDescending?: boolean | undefined
  /** Without a value to sort by, rows that meet this condition come first: exact matches of a search. */
  readonly first?: RawBuilder<unknown> | undefined
  /** Where more than one table has an `id`. */
  readonly id?: RawBuilder<unknown>
}

/** Returns the terms of `order by`. Rows that are equal otherwise are in descending order of id. */
export function listOrder({ by, isDescending = false, first, id = sql`id` }: ListOrder): RawBuilder<unknown> {
  const newest = sql`${id} desc`
  if (by) return sql`${by} ${sql.raw(isDescending ? 'desc' : 'asc')} nulls last, ${newest}`
  return first ? sql`case when ${first} then 0 else 1 end, ${newest}` : newest
}
