import { logType, readLogDetails, type logRoutes } from '@tollgate/contract'

export type OwnLogRow = logRoutes.OwnLogEntity
/** What concerns channels is there for administrators alone. */
export type LogRow = OwnLogRow &
  Partial<Pick<logRoutes.LogEntity, 'channel' | 'channel_name'>> & {
    /** The failed attempts of the same call, where the list was asked to join them. */
    readonly attempts?: readonly OwnLogRow[]
  }

export const logTypes = ['topUp', 'consumption', 'admin', 'system', 'checkIn', 'error'] as const
export type LogTypeName = (typeof logTypes)[number]

export const typeNameOf = (type: number): LogTypeName | 'unknown' =>
  logTypes.find((name) => logType[name] === type) ?? 'unknown'

/** A row of a model call, charged or failed. */
export const isCall = ({ type }: Pick<LogRow, 'type'>): boolean =>
  type === logType.consumption || type === logType.error

/** How the call ended, as an HTTP status; undefined where the row does not say. */
export function statusOf({ type, other }: Pick<LogRow, 'type' | 'other'>): number | undefined {
  if (type === logType.consumption) return 200
  return type === logType.error ? readLogDetails(other).status_code : undefined
}

/** Milliseconds of the whole call; undefined in rows of earlier releases, which know its seconds alone. */
export const elapsedMs = ({ other }: Pick<LogRow, 'other'>): number | undefined => readLogDetails(other).use_time_ms

export type Pace = 'good' | 'warning' | 'bad'

/** The specification's limits: below 101 s and below 300 s. */
export function paceOfCall(seconds: number): Pace {
  if (seconds < 101) return 'good'
  return seconds < 300 ? 'warning' : 'bad'
}

/** Below 3 s and below 10 s. */
export function paceOfFirstToken(milliseconds: number): Pace {
  if (milliseconds < 3_000) return 'good'
  return milliseconds < 10_000 ? 'warning' : 'bad'
}
