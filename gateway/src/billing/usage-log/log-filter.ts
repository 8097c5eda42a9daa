import { logType } from '@tollgate/contract'
import { expressionBuilder, sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import type { Tables } from '../../platform/store/tables'
import { containing } from '../../platform/store/like'
import { usageConditions, type UsageFilter } from '../../platform/store/usage-conditions'

/** The filters of a list or a sum of log rows. */
export interface LogFilter extends UsageFilter {
  readonly type?: number
  readonly requestId?: string
  readonly errorCode?: string
  /** Seconds. */
  readonly minUseTime?: number
  readonly minQuota?: number
  /** Failed calls with one of these are left out. */
  readonly withoutErrorCodes?: readonly string[]
  /** Seconds; both ends are inclusive. */
  readonly from?: number
  readonly to?: number
  /** One row for each call: failed attempts are left out where a newer row of their call is within the filter. */
  readonly isJoined?: boolean
  /** Rows that are left out. */
  readonly withoutIds?: readonly number[]
}

export type LogBuilder = ExpressionBuilder<Tables, 'logs'>

export function logConditions(eb: LogBuilder, filter: LogFilter): Expression<SqlBool>[] {
  const conditions = usageConditions(eb, filter)
  if (filter.type !== undefined) conditions.push(eb('type', '=', filter.type))
  if (filter.requestId !== undefined) conditions.push(eb('request_id', '=', filter.requestId))
  conditions.push(...singleCallConditions(eb, filter))
  if (filter.from !== undefined) conditions.push(eb('created_at', '>=', filter.from))
  if (filter.to !== undefined) conditions.push(eb('created_at', '<=', filter.to))
  if (filter.withoutIds && filter.withoutIds.length > 0) conditions.push(eb('id', 'not in', filter.withoutIds))
  if (filter.isJoined && filter.type !== logType.consumption) conditions.push(isLast(eb, filter))
  return conditions
}

/** Rows of requests. */
export const callTypes: readonly number[] = [logType.consumption, logType.error]

/** The row stands for its call. A row without an id to join by stands for itself. */
export function isLast(eb: LogBuilder, filter: LogFilter): Expression<SqlBool> {
  return eb.or([eb('type', '<>', logType.error), eb('request_id', '=', ''), eb.not(hasLater(filter))])
}

/** The row is a failed attempt that a newer row of its call stands for. */
export const isFolded = (eb: LogBuilder, filter: LogFilter): Expression<SqlBool> =>
  eb.and([eb('type', '=', logType.error), eb('request_id', '<>', ''), hasLater(filter)])

/**
 * As a value, so that PostgreSQL looks up the few rows of a call rather than hash the whole table. The rows of the call come first, and the
 * filter after: SQLite would look for them among all newer rows of a user, as neither database moves conditions into a subquery with a limit.
 */
function hasLater(filter: LogFilter): Expression<SqlBool> {
  const inside = expressionBuilder<Tables, 'logs'>()
  const conditions = inside.and([
    inside('type', 'in', callTypes),
    ...logConditions(inside, { ...filter, isJoined: false }),
  ])
  return sql<SqlBool>`((select later.id from (select * from logs as attempt where attempt.request_id = logs.request_id
    and (attempt.created_at > logs.created_at or (attempt.created_at = logs.created_at and attempt.id > logs.id))
    limit ${sql.lit(Number.MAX_SAFE_INTEGER)}) as later where ${conditions} limit 1) is not null)`
}

/** Conditions on single calls, which neither an index nor a sum covers. */
function singleCallConditions(eb: LogBuilder, filter: LogFilter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  if (filter.errorCode !== undefined) conditions.push(hasErrorCode(eb, filter.errorCode))
  for (const code of filter.withoutErrorCodes ?? [])
    conditions.push(eb.or([eb('type', '<>', logType.error), eb.not(hasErrorCode(eb, code))]))
  if (filter.minUseTime !== undefined) conditions.push(eb('use_time', '>=', filter.minUseTime))
  if (filter.minQuota !== undefined) conditions.push(eb('quota', '>=', filter.minQuota))
  return conditions
}

const hasErrorCode = (eb: LogBuilder, code: string) =>
  containing(eb.ref('other'), `"error_code":${JSON.stringify(code)}`)

/** Returns whether a filter needs the rows of single calls. */
export const isOfSingleCalls = ({ errorCode, minUseTime, minQuota }: LogFilter): boolean =>
  [errorCode, minUseTime, minQuota].some((value) => value !== undefined)

/** The rows of a sum: those of the filter's type, otherwise the calls that were charged. */
export function summedConditions(eb: LogBuilder, filter: LogFilter): Expression<SqlBool>[] {
  const conditions = logConditions(eb, { ...filter, type: filter.type ?? logType.consumption })
  // Repeats the predicate of the partial index, which has the few rows of all other types.
  return isConsumption(filter) ? conditions : [...conditions, withoutConsumption]
}

/** Returns whether a filter's sums are those of charged calls, which the rollups have. */
export const isConsumption = ({ type }: LogFilter): boolean => type === undefined || type === logType.consumption

/** Not a consumption row; repeats the predicate of the partial indexes. */
export const withoutConsumption = sql<SqlBool>`type <> ${sql.lit(logType.consumption)}`
