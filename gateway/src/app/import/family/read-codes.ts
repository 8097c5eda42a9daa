import { z } from 'zod'

import type { SourceCode, SourceCodeUse } from '../site-source'
import { readTable, type ReadableTable } from '../source/read-table'
import { flag, int, seconds, trimmed } from '../source/values'

const Code = z.object({
  id: int,
  user_id: int,
  key: trimmed,
  status: int,
  name: trimmed,
  quota: int,
  created_time: int,
  redeemed_time: int,
  used_user_id: int,
  is_gift: flag,
  max_uses: int,
  valid_from: int,
  valid_until: int,
  /** The column of new-api. */
  expired_time: int,
  deleted_at: seconds,
})
type Code = z.output<typeof Code>

const Use = z.object({ id: int, redemption_id: int, user_id: int, used_time: int })

/** Yields the redemption codes of a site, deleted ones too. */
export async function* readCodes(table: ReadableTable): AsyncGenerator<readonly SourceCode[]> {
  for await (const rows of readTable(table, { table: 'redemptions', key: 'id', schema: Code })) yield rows.map(codeOf)
}

const codeOf = (row: Code): SourceCode => ({
  id: row.id,
  createdBy: row.user_id,
  key: row.key,
  name: row.name,
  status: row.status,
  quota: row.quota,
  isGift: row.is_gift,
  maxUses: row.max_uses > 0 ? row.max_uses : -1,
  validFrom: Math.max(row.valid_from, 0),
  validUntil: Math.max(row.valid_until || row.expired_time, 0),
  createdAt: row.created_time,
  redeemedAt: row.redeemed_time,
  usedBy: row.used_user_id,
  deletedAt: row.deleted_at,
})

/** Yields who used gift codes, which Veloera alone has. */
export async function* readCodeUses(table: ReadableTable): AsyncGenerator<readonly SourceCodeUse[]> {
  for await (const rows of readTable(table, { table: 'redemption_logs', key: 'id', schema: Use }))
    yield rows.map(({ redemption_id: codeId, user_id: userId, used_time: usedAt }) => ({ codeId, userId, usedAt }))
}
