import { type LoggedAttempt, type logRoutes, logType, minuteMs, readLogDetails } from '@tollgate/contract'

import { formatDuration } from '../../lib/text/format'

type OwnLogRow = logRoutes.OwnLogEntity
/** Channel fields are present for administrators only. */
export type LogRow = OwnLogRow &
  Partial<Pick<logRoutes.LogEntity, 'channel' | 'channel_name'>> & {
    /** Failed attempts of the same call, where the list was requested with them. */
    readonly attempts?: readonly OwnLogRow[]
  }

export const logTypes = ['topUp', 'consumption', 'admin', 'system', 'checkIn', 'error'] as const
type LogTypeName = (typeof logTypes)[number]

export const typeNameOf = (type: number): LogTypeName | 'unknown' =>
  logTypes.find((name) => logType[name] === type) ?? 'unknown'

/** A row of a model call, charged or failed. */
export const isCall = ({ type }: Pick<LogRow, 'type'>): boolean =>
  type === logType.consumption || type === logType.error

/** Returns the HTTP status that the caller got; undefined where the row does not have it. */
export function statusOf({ type, other }: Pick<LogRow, 'type' | 'other'>): number | undefined {
  if (type === logType.consumption) return 200
  const { caller_status: callerStatus, status_code: own } = readLogDetails(other)
  return type === logType.error ? (callerStatus ?? own) : undefined
}

/** Returns the status of the upstream where the caller got another one; 0 without a response. */
export function upstreamStatusOf({ type, other }: Pick<LogRow, 'type' | 'other'>): number | undefined {
  const { caller_status: callerStatus, status_code: own } = readLogDetails(other)
  return type === logType.error && callerStatus !== undefined ? own : undefined
}

/** Returns the quota that the vendor charges for a call; undefined where it is not known, or hidden from the reader. */
export function vendorCostOf({ other }: Pick<LogRow, 'other'>): number | undefined {
  const { admin_info: admin } = readLogDetails(other)
  return admin?.cost_kind === undefined ? undefined : admin.cost
}

/** Returns the duration of the whole call in milliseconds; undefined in rows of earlier releases, which have seconds only; null: none. */
export const elapsedMs = ({ other }: Pick<LogRow, 'other'>): number | null | undefined =>
  readLogDetails(other).use_time_ms

export type Pace = 'good' | 'warning' | 'bad'

/** The specification's limits: below 101 s and below 300 s. */
export function paceOfCall(seconds: number): Pace {
  if (seconds < 101) return 'good'
  return seconds < 300 ? 'warning' : 'bad'
}

/** Limits: below 3 s and below 10 s. */
export function paceOfFirstToken(milliseconds: number): Pace {
  if (milliseconds < 3_000) return 'good'
  return milliseconds < 10_000 ? 'warning' : 'bad'
}

const secondMs = 1_000

/** Formats a duration for comparison: "161 ms", "1.24 s", "12.4 s", "2 min 05 s". Decimals are kept, so that the figures line up. */
export function formatElapsed(milliseconds: number): string {
  if (milliseconds < secondMs || milliseconds >= minuteMs) return formatDuration(milliseconds)
  return `${(milliseconds / secondMs).toFixed(milliseconds < 10 * secondMs ? 2 : 1)} s`
}

/** One attempt of a call, as far as its reader may see it. */
export interface CallAttempt extends Pick<LoggedAttempt, 'status' | 'ms' | 'reason'> {
  /** Hidden from users. */
  readonly channel?: number
}

/**
 * Returns the attempts of a call in order. Administrators have them in the row itself; for users they are derived from the rows of the
 * call, each of which has the time elapsed by then.
 */
export function attemptsOf(row: LogRow): readonly CallAttempt[] {
  const { attempts: known = [] } = readLogDetails(row.other).admin_info ?? {}
  if (known.length > 0) return known
  const failed = row.attempts ?? []
  if (failed.length === 0) return []
  let before = 0
  return [...failed, row].map((part) => {
    const until = elapsedMs(part) ?? before
    const ms = Math.max(until - before, 0)
    before = until
    return { status: upstreamStatusOf(part) ?? statusOf(part) ?? 0, ms, ...(part !== row && { reason: part.content }) }
  })
}
