import { logType } from '@tollgate/contract'
import { z } from 'zod'

import type { SourceHour, SourceLog } from '../site-source'
import { readTable, type ReadableTable } from '../source/read-table'
import type { SourceRow } from '../source/source-database'
import { flag, int, object, text } from '../source/values'
import type { Lineage } from './lineage'

const Log = z.object({
  id: int,
  user_id: int,
  created_at: int,
  type: int,
  content: text,
  username: text,
  token_name: text,
  model_name: text,
  quota: int,
  prompt_tokens: int,
  completion_tokens: int,
  use_time: int,
  /** Milliseconds, of one-api. */
  elapsed_time: int,
  is_stream: flag,
  channel_id: int,
  token_id: int,
  group: text,
  client_ip: text,
  ip: text,
  other: object,
})
type Log = z.output<typeof Log>

const { topUp, consumption, admin, system, checkIn, error } = logType
const same = { 1: topUp, 2: consumption, 3: admin, 4: system } as const

/** Rows of one-api about tests of channels are not the users' calls. */
const types: Readonly<Record<Lineage, Readonly<Record<number, number>>>> = {
  'one-api': { ...same, 5: system },
  veloera: { ...same, 5: checkIn, 6: error },
  'new-api': { ...same, 5: error, 6: system, 7: system },
}

const msPerSecond = 1000

/** Seconds of the log that are read at first, and characters after which they become fewer or more. */
const firstSpan = 60
const pageSize = { min: 1_000_000, max: 8_000_000 }

/**
 * Yields the log rows of a time, some seconds after the other: the one index that all products have is by time, and any other order than none
 * would sort, or read the whole table.
 */
export async function* readLogs(
  { database, tables }: ReadableTable,
  lineage: Lineage,
  { from, until }: { readonly from: number; readonly until: number },
): AsyncGenerator<readonly SourceLog[]> {
  const columns = tables.get('logs') ?? new Set()
  const names = Object.keys(Log.shape).filter((name) => columns.has(name))
  const select = `select ${names.map((name) => database.quote(name)).join(', ')} from logs`
  for (let [at, span] = [from, firstSpan]; at < until;) {
    const end = Math.min(at + span, until)
    const rows = await database.select(`${select} where created_at >= ${at} and created_at < ${end}`)
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 0)
    if (size > pageSize.max) span = Math.max(Math.floor(span / 2), 1)
    else if (size < pageSize.min) span *= 2
    at = end
    if (rows.length > 0) yield rows.map((row) => logOf(Log.parse(row), lineage)).sort((one, other) => one.id - other.id)
  }
}

const sizeOf = (row: SourceRow): number =>
  Object.values(row).reduce<number>((sum, stored) => sum + (typeof stored === 'string' ? stored.length : 8), 0)

const logOf = (row: Log, lineage: Lineage): SourceLog => ({
  id: row.id,
  createdAt: row.created_at,
  type: types[lineage][row.type] ?? system,
  userId: row.user_id,
  username: row.username,
  tokenId: row.token_id,
  tokenName: row.token_name,
  model: row.model_name,
  group: row.group,
  channelId: row.channel_id,
  isStream: row.is_stream,
  seconds: row.use_time || Math.round(row.elapsed_time / msPerSecond),
  promptTokens: row.prompt_tokens,
  completionTokens: row.completion_tokens,
  quota: row.quota,
  content: row.content,
  clientIp: row.client_ip || row.ip,
  details: row.other,
})

const Hour = z.object({
  id: int,
  user_id: int,
  model_name: text,
  created_at: int,
  token_used: int,
  count: int,
  quota: int,
})

/** Yields the hourly sums of a site, of which several may be about the same hour, user and model. */
export async function* readHours(source: ReadableTable): AsyncGenerator<readonly SourceHour[]> {
  for await (const rows of readTable(source, { table: 'quota_data', key: 'id', schema: Hour }))
    yield rows.map((row) => ({
      hour: row.created_at,
      userId: row.user_id,
      model: row.model_name,
      count: row.count,
      quota: row.quota,
      tokens: row.token_used,
    }))
}
