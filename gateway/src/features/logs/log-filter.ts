import { logType, type logRoutes } from '@tollgate/contract'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'

import type { Tables } from '../../store/tables'
import { checkedModelName, usageConditions, type UsageFilter } from '../../store/usage-conditions'

/** What a list or a sum of log rows is about. */
export interface LogFilter extends UsageFilter {
  readonly type?: number
  readonly requestId?: string
  /** Seconds; both ends belong to the range. */
  readonly from?: number
  readonly to?: number
}

/** @throws AppError `param.invalid` when the model pattern has too many wildcards to be answered quickly. */
export function logFilter(query: logRoutes.LogQuery, userId?: number | null): LogFilter {
  return {
    type: query.type || undefined,
    requestId: query.request_id?.trim() || undefined,
    userId,
    tokenName: query.token_name || undefined,
    modelName: checkedModelName(query.model_name),
    channelId: query.channel || undefined,
    group: query.group || undefined,
    from: query.start_timestamp || undefined,
    to: query.end_timestamp || undefined,
  }
}

type Builder<T extends 'logs' | 'rollups'> = ExpressionBuilder<Tables, T>

export function logConditions(eb: Builder<'logs'>, filter: LogFilter): Expression<SqlBool>[] {
  const wanted = usageConditions(eb, filter)
  if (filter.type !== undefined) wanted.push(eb('type', '=', filter.type))
  if (filter.requestId !== undefined) wanted.push(eb('request_id', '=', filter.requestId))
  if (filter.from !== undefined) wanted.push(eb('created_at', '>=', filter.from))
  if (filter.to !== undefined) wanted.push(eb('created_at', '<=', filter.to))
  return wanted
}

export const consumptionConditions = (eb: Builder<'logs'>, filter: LogFilter) =>
  logConditions(eb, { ...filter, type: logType.consumption })

/** For the hours that begin at `from` or later and before `before`. */
export function rollupConditions(eb: Builder<'rollups'>, filter: LogFilter, hours: { from: number; before: number }) {
  const wanted = usageConditions(eb, filter)
  return [...wanted, eb('hour', '>=', hours.from), eb('hour', '<', hours.before)]
}
