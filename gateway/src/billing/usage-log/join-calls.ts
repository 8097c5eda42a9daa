import { logType } from '@tollgate/contract'

import type { Queries } from '../../platform/store/database'
import type { LogRow } from '../../platform/store/tables'

/** One row of a list, with the failed attempts of its call. */
export interface JoinedRow {
  readonly row: LogRow
  /** The other failed attempts of the same call, oldest first, whether or not they are within the filter. */
  readonly attempts: readonly LogRow[]
}

/** Adds their failed attempts to the calls of a page that `isJoined` has found, by the index of request ids. */
export async function joinCalls(query: Queries, page: readonly LogRow[]): Promise<JoinedRow[]> {
  const attempts = await attemptsOf(query, page)
  return page.map((row) => ({
    row,
    attempts: isCall(row) ? (attempts.get(row.request_id) ?? []).filter(({ id }) => id !== row.id) : [],
  }))
}

async function attemptsOf(query: Queries, page: readonly LogRow[]) {
  const ids = new Set(page.filter(isCall).map(({ request_id: id }) => id))
  if (ids.size === 0) return new Map<string, LogRow[]>()
  const found = await query
    .selectFrom('logs')
    .selectAll()
    .where('request_id', 'in', [...ids])
    // Both types: for errors alone PostgreSQL would read the index of types.
    .where('type', 'in', callTypes)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return Map.groupBy(
    found.filter(({ type }) => type === logType.error),
    ({ request_id: id }) => id,
  )
}

const callTypes: readonly number[] = [logType.consumption, logType.error]

/** Returns whether a row belongs to a request: others have no id to join by. */
const isCall = ({ type, request_id: id }: LogRow): boolean => id !== '' && callTypes.includes(type)
