import * as z from 'zod'

import { listOf, PageQuery, sortQuery } from '../http/paging'
import { fileRoute, route } from '../http/route'
import { flagText, idText, linesText, plainText, wholeNumberText } from '../pricing/units'

const name = plainText(255).optional()

const maxExcluded = 20

const names = linesText(maxExcluded).optional()
const ids = linesText(maxExcluded).pipe(
  z.array(z.coerce.number<string>().int().positive().max(Number.MAX_SAFE_INTEGER)),
)

const OwnFilter = z.object({
  /** 0: all types. */
  type: wholeNumberText.optional(),
  token_name: name,
  /** The exact name, or a pattern in which `%` stands for any text. */
  model_name: name,
  /** Both ends are inclusive. */
  start_timestamp: wholeNumberText.optional(),
  end_timestamp: wholeNumberText.optional(),
  group: name,
  /** The exact id of a call; all its rows. */
  request_id: name,
  /** The code of a failed call, as `error_code` in `other` has it. */
  error_code: plainText(64).optional(),
  /** Calls that took at least this many seconds, as in `use_time`. */
  min_use_time: wholeNumberText.optional(),
  /** Calls that cost at least this much quota. */
  min_quota: wholeNumberText.optional(),
  /** Rows to leave out: those with any of these values, one per line. A model's name is exact and includes its prefixed forms. */
  not_token_name: names,
  not_model_name: names,
  not_group: names,
  /** Rows without an error code are kept. */
  not_error_code: names,
})
const AnyFilter = OwnFilter.extend({
  username: name,
  channel: wholeNumberText.optional(),
  not_username: names,
  /** Channel ids, one per line. */
  not_channel: ids.optional(),
})

export type LogQuery = z.output<typeof AnyFilter>

export const OwnLogEntity = z.object({
  id: z.number().int(),
  request_id: z.string(),
  created_at: z.number().int(),
  type: z.number().int(),
  user_id: z.number().int(),
  username: z.string(),
  token_id: z.number().int(),
  token_name: z.string(),
  model_name: z.string(),
  group: z.string(),
  is_stream: z.boolean(),
  use_time: z.number().int(),
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  quota: z.number().int(),
  content: z.string(),
  client_ip: z.string(),
  /** JSON text. */
  other: z.string(),
})
export type OwnLogEntity = z.output<typeof OwnLogEntity>

export const LogEntity = OwnLogEntity.extend({ channel: z.number().int(), channel_name: z.string() })
export type LogEntity = z.output<typeof LogEntity>

/**
 * `joined`: one row for each call. The failed attempts of a call are part of the row that ended it, or of the last attempt; pages and
 * `total` count these rows.
 */
const Joined = { joined: flagText.optional() }
const JoinedOwnLog = OwnLogEntity.extend({
  /** The failed attempts of the same call, oldest first; none without `joined`. */
  attempts: z.array(OwnLogEntity).optional(),
})
const JoinedLog = LogEntity.extend({ attempts: z.array(LogEntity).optional() })

/**
 * The log has no index of these figures: sorting reads the newest calls within the filters for a limited time, and `searched_until` says how
 * far it came. The first `maxSortedLogs` can be paged through.
 */
export const logSorts = ['cost', 'duration', 'tokens'] as const
export type LogSort = (typeof logSorts)[number]
export const maxSortedLogs = 1000

const Order = sortQuery(logSorts)

/** Present when a search did not look at everything. */
const Search = {
  /** There may be more rows than `total` says. */
  total_is_lower_bound: z.boolean().optional(),
  /**
   * Unix seconds. The filters match so rarely that the search stopped here: rows from this second on were looked at, older
   * ones were not. The same list with `end_timestamp` one less goes on from there.
   */
  searched_until: z.number().int().optional(),
}

export const LogStat = z.object({
  quota: z.number().int(),
  /** Calls and tokens of the last 60 seconds. */
  rpm: z.number().int(),
  tpm: z.number().int(),
  token_total: z.number().int(),
  token_input: z.number().int(),
  token_output: z.number().int(),
  /** Unix seconds. Older calls are not in the sums; a request with `end_timestamp` one less returns those that are missing. */
  searched_until: z.number().int().optional(),
})
/** `quick`: the sums may end early, newest first, rather than take long; `searched_until` says so. Otherwise they are complete. */
const Quick = { quick: flagText.optional() }
export type LogStat = z.output<typeof LogStat>

export const listLogs = route({
  method: 'GET',
  path: '/api/log',
  access: 'logs.read',
  summary: 'Log of all users, newest first or sorted',
  query: PageQuery.extend({ ...AnyFilter.shape, ...Joined, ...Order }),
  data: listOf(JoinedLog).extend(Search),
})

export const listOwnLogs = route({
  method: 'GET',
  path: '/api/log/self',
  access: 'calls',
  isViewable: true,
  summary: 'Log of the caller, newest first or sorted, without what concerns channels',
  query: PageQuery.extend({ ...OwnFilter.shape, ...Joined, ...Order }),
  data: listOf(JoinedOwnLog).extend(Search),
})

const LogId = z.object({ id: idText(z.number().int().positive().max(Number.MAX_SAFE_INTEGER)) })

export const getLog = route({
  method: 'GET',
  path: '/api/log/{id}',
  access: 'logs.read',
  summary: 'One row of the log',
  params: LogId,
  data: LogEntity,
})

export const getOwnLog = route({
  method: 'GET',
  path: '/api/log/self/{id}',
  access: 'calls',
  isViewable: true,
  summary: 'One row of the caller’s log, without what concerns channels',
  params: LogId,
  data: OwnLogEntity,
})

export const exportLogs = fileRoute({
  method: 'GET',
  path: '/api/log/export',
  audit: 'log.export',
  access: 'logs.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'All rows within the filters as a table, newest first',
  query: AnyFilter,
})

export const exportOwnLogs = fileRoute({
  method: 'GET',
  path: '/api/log/self/export',
  access: 'calls',
  media: 'text/csv',
  limit: 'export',
  summary: 'All of the caller’s rows within the filters as a table, newest first, without what concerns channels',
  query: OwnFilter,
})

export const logStat = route({
  method: 'GET',
  path: '/api/log/stat',
  access: 'logs.read',
  summary: 'What the calls within the filters cost and used',
  query: AnyFilter.extend(Quick),
  data: LogStat,
})

export const ownLogStat = route({
  method: 'GET',
  path: '/api/log/self/stat',
  access: 'calls',
  isViewable: true,
  summary: 'What the caller’s calls within the filters cost and used',
  query: OwnFilter.extend(Quick),
  data: LogStat,
})

/** Newer rows can only be deleted by the super admin. */
export const adminDeletableAfterDays = 7

export const deleteLogs = route({
  method: 'DELETE',
  path: '/api/log',
  isCompound: true,
  audit: 'log.delete',
  access: 'logs.delete',
  summary:
    'Delete consumption and error rows older than a past time; returns how many. Administrators cannot reach the last seven days',
  query: z.object({ target_timestamp: wholeNumberText.optional() }),
  data: z.number().int(),
})
