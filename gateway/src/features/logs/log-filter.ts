import { logType, type logRoutes } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import type { Catalog } from '../../catalog/catalog'
import { modelFilter } from '../../catalog/model-filter'
import type { Tables } from '../../store/tables'
import { usageConditions, type UsageFilter } from '../../store/usage-conditions'

/** What a list or a sum of log rows is about. */
export interface LogFilter extends UsageFilter {
  readonly type?: number
  readonly requestId?: string
  /** Seconds; both ends belong to the range. */
  readonly from?: number
  readonly to?: number
}

/** @throws AppError `param.invalid` when the model pattern has too many wildcards to be answered quickly. */
export function logFilter(
  query: logRoutes.LogQuery,
  catalog: Pick<Catalog, 'channels'>,
  userId?: number | null,
): LogFilter {
  return {
    type: query.type || undefined,
    requestId: query.request_id?.trim() || undefined,
    userId,
    tokenName: query.token_name || undefined,
    ...modelFilter(query.model_name, catalog),
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

/** The rows a sum is made of: those of the filter's type, else the calls that were charged. */
export function summedConditions(eb: Builder<'logs'>, filter: LogFilter): Expression<SqlBool>[] {
  const wanted = logConditions(eb, { ...filter, type: filter.type ?? logType.consumption })
  // As the partial index says it, which holds the few rows of all other types.
  return isConsumption(filter) ? wanted : [...wanted, withoutConsumption]
}

/** Whether a filter's sums are those of charged calls, which the rollups know. */
export const isConsumption = ({ type }: LogFilter): boolean => type === undefined || type === logType.consumption

/** No row of consumption, as the partial indexes say it. */
export const withoutConsumption = sql<SqlBool>`type <> ${sql.lit(logType.consumption)}`

/** For the hours that begin at `from` or later and before `before`. */
export function rollupConditions(eb: Builder<'rollups'>, filter: LogFilter, hours: { from: number; before: number }) {
  const wanted = usageConditions(eb, filter)
  return [...wanted, eb('hour', '>=', hours.from), eb('hour', '<', hours.before)]
}
