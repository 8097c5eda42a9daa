import { z } from 'zod'

import type { SourceToken } from '../site-source'
import { readTable, type ReadableTable } from '../source/read-table'
import { flag, int, seconds, text, trimmed } from '../source/values'

const Token = z.object({
  id: int,
  user_id: int,
  key: trimmed,
  status: int,
  name: trimmed,
  created_time: int,
  accessed_time: int,
  expired_time: int,
  remain_quota: int,
  unlimited_quota: flag,
  used_quota: int,
  /** Columns of one-api: a list or null, and addresses and ranges. */
  models: text,
  subnet: text,
  model_limits_enabled: flag,
  model_limits: text,
  allow_ips: text,
  group: trimmed,
  rate_limit_enabled: flag,
  rate_limit_period: int,
  rate_limit_count: int,
  rate_limit_success: int,
  deleted_at: seconds,
})
type Token = z.output<typeof Token>

const [enabled, expired, exhausted] = [1, 3, 4]

/** Yields the keys of a site, deleted ones too. */
export async function* readTokens(table: ReadableTable): AsyncGenerator<readonly SourceToken[]> {
  for await (const rows of readTable(table, { table: 'tokens', key: 'id', schema: Token })) yield rows.map(tokenOf)
}

const tokenOf = (row: Token): SourceToken => ({
  id: row.id,
  userId: row.user_id,
  key: { plain: row.key.replace(/^sk-/, '') },
  name: row.name,
  isEnabled: [enabled, expired, exhausted].includes(row.status),
  isRefused: row.status === expired || row.status === exhausted,
  createdAt: row.created_time,
  accessedAt: row.accessed_time,
  expiresAt: row.expired_time > 0 ? row.expired_time : -1,
  remainQuota: row.remain_quota,
  usedQuota: row.used_quota,
  isUnlimited: row.unlimited_quota,
  models: modelsOf(row),
  addresses: listOf(`${row.allow_ips}\n${row.subnet}`),
  group: row.group,
  rateLimit: row.rate_limit_enabled
    ? { seconds: row.rate_limit_period, calls: row.rate_limit_count, served: row.rate_limit_success }
    : null,
  deletedAt: row.deleted_at,
})

function modelsOf({ models, model_limits, model_limits_enabled: isLimited }: Token): string[] | null {
  if (isLimited) return listOf(model_limits)
  const names = listOf(models)
  return names.length === 0 ? null : names
}

const listOf = (list: string): string[] =>
  list
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
