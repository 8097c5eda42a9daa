import { LogDetails, logType, readFields } from '@tollgate/contract'

import type { MeasuredCall, Origin } from '../../ledger/charge/measure-batch'

/** The columns of a log row that decide what it adds to the measures. */
export const loggedColumns = [
  'created_at',
  'type',
  'user_id',
  'token_name',
  'model_name',
  'channel_id',
  'group',
  'is_stream',
  'prompt_tokens',
  'completion_tokens',
  'other',
] as const

export interface LoggedRow {
  readonly created_at: number
  readonly type: number
  readonly user_id: number
  readonly token_name: string
  readonly model_name: string
  readonly channel_id: number
  readonly group: string
  readonly is_stream: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly other: string
}

export const originOf = (row: Omit<LoggedRow, 'other'>): Origin => ({
  createdAt: row.created_at,
  userId: row.user_id,
  tokenName: row.token_name,
  modelName: row.model_name,
  channelId: row.channel_id,
  group: row.group,
})

/** What a log row adds to the measures. It does not tell what caches saved. */
export type Logged =
  | {
      readonly kind: 'call'
      readonly call: Omit<MeasuredCall, 'cacheSaved'>
      /** What the vendor charges; undefined where it is not known. */
      readonly vendorCost: number | undefined
    }
  | { readonly kind: 'error'; readonly code: string }
  /** A call that was refused before any attempt, which adds nothing. */
  | { readonly kind: 'refusal' }

/** Returns what a consumption or error row adds to the measures; null for rows of releases that measured nothing. */
export function readLogged(row: LoggedRow): Logged | null {
  const data = readFields(Measured, row.other)
  if (data.refused_calls > 0) return { kind: 'refusal' }
  if (data.use_time_ms === undefined) return null
  if (row.type === logType.error) return data.error_code === undefined ? null : { kind: 'error', code: data.error_code }
  const call = {
    wholeMs: data.use_time_ms,
    firstTokenMs: row.is_stream === 1 ? firstTokenMs(data.frt) : null,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    cachedTokens: data.cache_tokens,
  }
  return { kind: 'call', call, vendorCost: data.admin_info?.cost }
}

/** A stream that ended without any output has a negative time. */
const firstTokenMs = (logged = 0): number | null => (logged < 0 ? null : logged)

const Measured = LogDetails.pick({
  use_time_ms: true,
  frt: true,
  cache_tokens: true,
  error_code: true,
  refused_calls: true,
  admin_info: true,
})
