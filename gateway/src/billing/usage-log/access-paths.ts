import { logType } from '@tollgate/contract'
import { sql, type RawBuilder } from 'kysely'

import type { Queries } from '../../platform/store/database'
import { modelNames } from '../../platform/store/model-names'
import { withoutConsumption, type LogFilter } from './log-filter'

/** A way to rows in the order of time: the index of some columns at some values, or of time alone. */
export interface AccessPath {
  readonly columns: readonly IndexColumn[]
  /** The values of the columns, one set each. */
  readonly keys: readonly IndexKey[]
  /** Rows of consumption are not in the index. */
  readonly isWithoutConsumption?: boolean
}

export type IndexKey = readonly (string | number)[]
type IndexColumn = 'user_id' | 'token_name' | 'model_name' | 'channel_id' | 'group' | 'type'

/** Seconds; both ends are inclusive. */
export interface LogRange {
  readonly from: number
  readonly to: number
}

/** Each name is queried in every part of the search. */
const maxNames = 8

const timePath: AccessPath = { columns: [], keys: [[]] }

/** Resolves with those paths of which each alone contains every row within the filter; an empty list when no row can match. */
export async function accessPathsOf(query: Queries, filter: LogFilter): Promise<readonly AccessPath[]> {
  const { userId, type, tokenName, channelId, group, modelName, modelNames: requestedModels } = filter
  if (userId === null) return []
  const paths: AccessPath[] = []
  const add = (column: IndexColumn, value: string | number | undefined) => {
    if (value !== undefined) paths.push({ columns: [column], keys: [[value]] })
  }
  if (type === undefined || type === logType.consumption) add('user_id', userId)
  else paths.push(typePath(type, userId))
  add('token_name', tokenName)
  add('channel_id', channelId)
  add('group', group)
  if (modelName !== undefined || requestedModels !== undefined) {
    const names = requestedModels ?? (await namesIn(query, modelName ?? ''))
    if (names?.length === 0) return []
    if (names && names.length <= maxNames) paths.push({ columns: ['model_name'], keys: names.map((name) => [name]) })
  }
  return paths.length > 0 ? paths : [timePath]
}

const namesIn = async (query: Queries, name: string) =>
  name.includes('%') ? (await modelNames(query, 'logs', name))?.names : [name]

/** The path to rows of a type that is not consumption, of all users or of one. */
export const typePath = (type: number, userId: number | undefined): AccessPath =>
  userId === undefined
    ? { columns: ['type'], keys: [[type]], isWithoutConsumption: true }
    : { columns: ['user_id', 'type'], keys: [[userId, type]], isWithoutConsumption: true }

/**
 * Selects the rows of an access path at one key in a range, newest first. The first value is given twice and ordered by, because no other index
 * can satisfy that: for a value it estimates to be frequent, PostgreSQL would otherwise walk the index of time and skip millions of rows
 * where the value is no longer frequent. Two values count as twice the rows, though, and a full scan of an index with few rows may seem
 * cheaper: there the second value is one that no row has.
 */
export function newestOnPath(
  query: Queries,
  { columns, isWithoutConsumption }: AccessPath,
  key: IndexKey,
  range: LogRange,
) {
  const atKey = columns.reduce((rows, column, index) => {
    const value = key[index] ?? null
    return index === 0
      ? rows.where(column, 'in', [value, isWithoutConsumption ? noId : value]).orderBy(column, 'desc')
      : rows.where(column, '=', value)
  }, query.selectFrom('logs'))
  return atKey
    .where('created_at', '>=', range.from)
    .where('created_at', '<=', range.to)
    .$if(isWithoutConsumption === true, (rows) => rows.where(withoutConsumption))
    .orderBy('created_at', 'desc')
}

/** Neither a type nor an id. */
const noId = -1

/**
 * Selects the newest rows with all their columns. Between an index of two columns and that of the first alone, SQLite reliably chooses the
 * former only where it covers the query, so there the rows are found by their ids.
 */
export function newestRows(query: Queries, path: AccessPath, key: IndexKey, range: LogRange, { offset, limit }: Part) {
  const newest = newestOnPath(query, path, key, range).orderBy('id', 'desc').limit(limit).offset(offset)
  if (path.columns.length < 2) return newest.selectAll()
  return query
    .selectFrom('logs')
    .selectAll()
    .where('id', 'in', query.selectFrom(newest.select('id').as('newest')).select('id'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
}

export interface Part {
  readonly offset: number
  readonly limit: number
}

/** Returns how many of a window's rows may be of one key. */
export const shareOf = (path: AccessPath, rows: number): number => Math.max(Math.floor(rows / path.keys.length), 1)

/** Resolves with the oldest time from which an access path has no more than its share of the rows at any key; null: the whole range. */
export function timeOfShare(
  query: Queries,
  path: AccessPath,
  range: LogRange,
  rows: number,
): RawBuilder<number | null> {
  const times = path.keys.map((key) =>
    newestOnPath(query, path, key, range).select('created_at').limit(1).offset(shareOf(path, rows)),
  )
  return sql`(select max(column1) + 1 from (values ${sql.join(times.map((time) => sql`((${time}))`))}) as times)`
}
