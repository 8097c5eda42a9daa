import { logType, type logRoutes } from '@tollgate/contract'

import type { LogFilter } from '../../billing/usage-log/log-filter'
import type { Catalog } from '../../channels/catalog/catalog'
import { modelFilter, namesOfModel } from '../../channels/catalog/model-filter'
import type { Excluded } from '../../platform/store/usage-conditions'

/** The users whose rows are wanted: one, or all except some. */
export interface LogUsers {
  /** Null: a user who does not exist. */
  readonly userId?: number | null
  readonly withoutUserIds?: readonly number[]
}

/** @throws AppError `param.invalid` when the model pattern has too many wildcards to be answered quickly. */
export function logFilter(
  query: logRoutes.LogQuery,
  catalog: Pick<Catalog, 'channels'>,
  { userId, withoutUserIds }: LogUsers = {},
): LogFilter {
  const errorCode = query.error_code?.trim() || undefined
  return {
    // Only failed calls have a code, and they have an index of their own.
    type: query.type || (errorCode === undefined ? undefined : logType.error),
    errorCode,
    minUseTime: query.min_use_time || undefined,
    minQuota: query.min_quota || undefined,
    requestId: query.request_id?.trim() || undefined,
    userId,
    tokenName: query.token_name || undefined,
    ...modelFilter(query.model_name, catalog),
    channelId: query.channel || undefined,
    group: query.group || undefined,
    without: excludedBy(query, catalog, withoutUserIds),
    withoutErrorCodes: anyOf(query.not_error_code),
    from: query.start_timestamp || undefined,
    to: query.end_timestamp || undefined,
  }
}

/** Undefined where nothing is left out, so that the sums by name can be used. */
function excludedBy(
  query: logRoutes.LogQuery,
  catalog: Pick<Catalog, 'channels'>,
  withoutUserIds: readonly number[] | undefined,
): Excluded | undefined {
  const without: Excluded = {
    userIds: anyOf(withoutUserIds),
    tokenNames: anyOf(query.not_token_name),
    modelNames: anyOf(query.not_model_name?.flatMap((name) => namesOfModel(name, catalog))),
    channelIds: anyOf(query.not_channel),
    groups: anyOf(query.not_group),
  }
  return Object.values(without).some((values) => values !== undefined) ? without : undefined
}

const anyOf = <T>(values: readonly T[] | undefined) => (values && values.length > 0 ? values : undefined)
