import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import { AppError } from '../app-error'
import { matchingPattern } from './like'
import type { Tables } from './tables'

/** Whose consumption, and of what. The columns are those that log rows and hourly rollups share. */
export interface UsageFilter {
  /** Null: the requested user does not exist, so nothing matches. */
  readonly userId?: number | null
  readonly tokenName?: string
  /** The exact name, or a pattern in which `%` stands for any text. */
  readonly modelName?: string
  /** Any of these, in place of the pattern they match. */
  readonly modelNames?: readonly string[]
  readonly channelId?: number
  readonly group?: string
  readonly without?: Excluded
}

/** Rows to leave out: those with any of these values. */
export interface Excluded {
  readonly userIds?: readonly number[]
  readonly tokenNames?: readonly string[]
  /** Exact names. */
  readonly modelNames?: readonly string[]
  readonly channelIds?: readonly number[]
  readonly groups?: readonly string[]
}

const maxWildcards = 4

/** @throws AppError `param.invalid` when a pattern has too many wildcards to be answered quickly. */
export function checkedModelName(pattern: string | undefined): string | undefined {
  const name = pattern?.replace(/%+/g, '%')
  if ((name?.split('%').length ?? 0) > maxWildcards + 1) {
    throw new AppError('param.invalid', { params: { field: 'model_name' } })
  }
  return name || undefined
}

export function usageConditions(
  eb: ExpressionBuilder<Tables, 'logs' | 'rollups'>,
  filter: UsageFilter,
): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  if (filter.userId === null) conditions.push(sql<SqlBool>`1 = 0`)
  else if (filter.userId !== undefined) conditions.push(eb('user_id', '=', filter.userId))
  if (filter.tokenName !== undefined) conditions.push(eb('token_name', '=', filter.tokenName))
  if (filter.modelName !== undefined) conditions.push(modelCondition(eb, filter.modelName))
  if (filter.modelNames !== undefined) conditions.push(isAmong(eb.ref('model_name'), filter.modelNames))
  if (filter.channelId !== undefined) conditions.push(eb('channel_id', '=', filter.channelId))
  if (filter.group !== undefined) conditions.push(eb('group', '=', filter.group))
  if (filter.without !== undefined) conditions.push(...exclusions(eb, filter.without))
  return conditions
}

/** No index helps with these: they are applied to the rows that another condition finds. */
function exclusions(eb: ExpressionBuilder<Tables, 'logs' | 'rollups'>, without: Excluded): Expression<SqlBool>[] {
  const columns = {
    user_id: without.userIds,
    token_name: without.tokenNames,
    model_name: without.modelNames,
    channel_id: without.channelIds,
    group: without.groups,
  } as const
  return Object.entries(columns).flatMap(([name, values = []]) =>
    values.length === 0 ? [] : sql<SqlBool>`${sql.ref(name)} not in (${sql.join(values)})`,
  )
}

const modelCondition = (eb: ExpressionBuilder<Tables, 'logs' | 'rollups'>, name: string): Expression<SqlBool> =>
  name.includes('%') ? matchingPattern(eb.ref('model_name'), name) : eb('model_name', '=', name)

/** SQL has no empty list of values. */
export const isAmong = (column: Expression<unknown>, values: readonly string[]): Expression<SqlBool> =>
  values.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${column} in (${sql.join(values)})`
