import { logType, type logRoutes } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import { usernameKey } from '../../accounts/credentials'
import { AppError } from '../../app-error'
import type { Queries } from '../../store/database'
import { matchingPattern } from '../../store/like'
import type { Tables } from '../../store/tables'

/** What a list or a sum of log rows is about. */
export interface LogFilter {
  readonly type?: number
  /** Null: a user was asked for who does not exist, so nothing matches. */
  readonly userId?: number | null
  readonly tokenName?: string
  readonly modelName?: string
  readonly channelId?: number
  readonly group?: string
  /** Seconds; both ends belong to the range. */
  readonly from?: number
  readonly to?: number
}

const mostWildcards = 4

/** @throws AppError `param.invalid` when the model pattern has too many wildcards to be answered quickly. */
export function logFilter(query: logRoutes.LogQuery, userId?: number | null): LogFilter {
  const modelName = query.model_name?.replace(/%+/g, '%')
  if ((modelName?.split('%').length ?? 0) > mostWildcards + 1) throw new AppError('param.invalid')
  return {
    type: query.type || undefined,
    userId,
    tokenName: query.token_name || undefined,
    modelName: modelName || undefined,
    channelId: query.channel || undefined,
    group: query.group || undefined,
    from: query.start_timestamp || undefined,
    to: query.end_timestamp || undefined,
  }
}

/** The user of that name, closed accounts included. By id, a renamed user keeps the history. */
export async function userIdOf(query: Queries, username: string | undefined): Promise<number | null | undefined> {
  if (!username) return undefined
  const row = await query
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username.trim()))
    .executeTakeFirst()
  return row?.id ?? null
}

type Builder<T extends 'logs' | 'rollups'> = ExpressionBuilder<Tables, T>

/** Conditions on the columns that logs and rollups share. */
function sharedConditions(eb: Builder<'logs' | 'rollups'>, filter: LogFilter): Expression<SqlBool>[] {
  const wanted: Expression<SqlBool>[] = []
  if (filter.userId === null) wanted.push(sql<SqlBool>`1 = 0`)
  else if (filter.userId !== undefined) wanted.push(eb('user_id', '=', filter.userId))
  if (filter.tokenName !== undefined) wanted.push(eb('token_name', '=', filter.tokenName))
  if (filter.modelName !== undefined) wanted.push(modelCondition(eb, filter.modelName))
  if (filter.channelId !== undefined) wanted.push(eb('channel_id', '=', filter.channelId))
  if (filter.group !== undefined) wanted.push(eb('group', '=', filter.group))
  return wanted
}

const modelCondition = (eb: Builder<'logs' | 'rollups'>, name: string): Expression<SqlBool> =>
  name.includes('%') ? matchingPattern(eb.ref('model_name'), name) : eb('model_name', '=', name)

export function logConditions(eb: Builder<'logs'>, filter: LogFilter): Expression<SqlBool>[] {
  const wanted = sharedConditions(eb, filter)
  if (filter.type !== undefined) wanted.push(eb('type', '=', filter.type))
  if (filter.from !== undefined) wanted.push(eb('created_at', '>=', filter.from))
  if (filter.to !== undefined) wanted.push(eb('created_at', '<=', filter.to))
  return wanted
}

export const consumptionConditions = (eb: Builder<'logs'>, filter: LogFilter) =>
  logConditions(eb, { ...filter, type: logType.consumption })

/** For the hours that begin at `from` or later and before `before`. */
export function rollupConditions(eb: Builder<'rollups'>, filter: LogFilter, hours: { from: number; before: number }) {
  const wanted = sharedConditions(eb, filter)
  return [...wanted, eb('hour', '>=', hours.from), eb('hour', '<', hours.before)]
}
