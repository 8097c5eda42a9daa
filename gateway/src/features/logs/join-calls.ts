import { logType } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import type { LogRow } from '../../store/tables'
import { logConditions, type LogFilter } from './log-filter'

/** One row of a list, with the failed attempts of its call. */
export interface JoinedRow {
  readonly row: LogRow
  /** The other failed attempts of the same call, oldest first, whether or not they are within the filter. */
  readonly attempts: readonly LogRow[]
}

const callTypes: readonly number[] = [logType.consumption, logType.error]

/**
 * Joins the rows of each call on a page: a failed attempt is left out where a newer row of its call is within the filter too, on whichever
 * page that is. So a call is on one page only, and a page may have fewer rows than requested. Only reads the rows of the page's own calls,
 * by the index of request ids.
 */
export async function joinCalls(query: Queries, filter: LogFilter, page: readonly LogRow[]): Promise<JoinedRow[]> {
  const calls = await rowsOfCalls(query, filter, page)
  return page.flatMap((row) => {
    const others = (calls.get(row.request_id) ?? []).filter(({ id }) => id !== row.id)
    if (!isCall(row)) return [{ row, attempts: [] }]
    if (row.type === logType.error && others.some((other) => other.isWithin && isNewer(other, row))) return []
    return [{ row, attempts: others.filter(({ type }) => type === logType.error) }]
  })
}

type MarkedRow = LogRow & { readonly isWithin: number }

async function rowsOfCalls(query: Queries, filter: LogFilter, page: readonly LogRow[]) {
  const ids = new Set(page.filter(isCall).map(({ request_id: id }) => id))
  if (ids.size === 0) return new Map<string, MarkedRow[]>()
  const found = await query
    .selectFrom('logs')
    .selectAll()
    .select((eb) =>
      eb
        .case()
        .when(eb.and(logConditions(eb, filter)))
        .then(eb.lit(1))
        .else(eb.lit(0))
        .end()
        .as('isWithin'),
    )
    .where('request_id', 'in', [...ids])
    .where('type', 'in', callTypes)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return Map.groupBy(found, ({ request_id: id }) => id)
}

/** Returns whether a row belongs to a request: others have no id to join by. */
const isCall = ({ type, request_id: id }: LogRow): boolean => id !== '' && callTypes.includes(type)

const isNewer = (one: LogRow, other: LogRow): boolean =>
  one.created_at === other.created_at ? one.id > other.id : one.created_at > other.created_at
