import { daySeconds, logType } from '@tollgate/contract'

import type { Queries } from '../../platform/store/database'
import type { LogRow } from '../../platform/store/tables'
import type { LogRange } from './access-paths'
import { callTypes } from './log-filter'

/** One row of a list, with the failed attempts of its call. */
export interface JoinedRow {
  readonly row: LogRow
  /** The other failed attempts of the same call, oldest first, whether or not they are within the filter. */
  readonly attempts: readonly LogRow[]
}

/** All rows of a call are within three days of each other: a batch takes one. */
export const callSeconds = 3 * daySeconds

/** Returns the times at which the other rows of these calls may be. */
export const timesOfCalls = (rows: readonly Pick<LogRow, 'created_at'>[]): LogRange => ({
  from: rows.reduce((min, { created_at: at }) => Math.min(min, at), Infinity) - callSeconds,
  to: rows.reduce((max, { created_at: at }) => Math.max(max, at), -Infinity) + callSeconds,
})

/** Adds their failed attempts to the calls of a page that `isJoined` has found. */
export async function joinCalls(
  logs: { readonly callsOf: (requestIds: readonly string[], within: LogRange) => Promise<readonly LogRow[]> },
  page: readonly LogRow[],
): Promise<JoinedRow[]> {
  const ids = new Set(page.filter(isCall).map(({ request_id: id }) => id))
  const found = ids.size === 0 ? [] : await logs.callsOf([...ids], timesOfCalls(page))
  const attempts = Map.groupBy(
    found.filter(({ type }) => type === logType.error),
    ({ request_id: id }) => id,
  )
  return page.map((row) => ({
    row,
    attempts: isCall(row) ? (attempts.get(row.request_id) ?? []).filter(({ id }) => id !== row.id) : [],
  }))
}

/** Resolves with the rows of these requests, oldest first, by the index of request ids. */
export async function callsOf(query: Queries, requestIds: readonly string[]): Promise<LogRow[]> {
  if (requestIds.length === 0) return []
  return (
    query
      .selectFrom('logs')
      .selectAll()
      .where('request_id', 'in', requestIds)
      // Both types: for errors alone PostgreSQL would read the index of types.
      .where('type', 'in', callTypes)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  )
}

/** Returns whether a row belongs to a request: others have no id to join by. */
const isCall = ({ type, request_id: id }: LogRow): boolean => id !== '' && callTypes.includes(type)
