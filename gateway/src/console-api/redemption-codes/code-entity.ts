import type { redemptionRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { RedemptionRow } from '../../platform/store/tables'

type Deps = Pick<Context, 'database' | 'seal'>

/** Resolves with codes in the form that is returned. `isOpen`: including the codes themselves. */
export async function codeEntities(
  { database, seal }: Deps,
  rows: readonly RedemptionRow[],
  isOpen: boolean,
): Promise<redemptionRoutes.RedemptionEntity[]> {
  const names = await namesOf(
    database,
    rows.map(({ used_user_id: id }) => id),
  )
  const plans = await plansOf(
    database,
    rows.map(({ plan_id: id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    key: isOpen ? openedKey(seal, row) : maskedKey(openedKey(seal, row)),
    status: row.status,
    kind: row.kind,
    quota: row.quota,
    quota_days: row.quota_days,
    plan_id: row.plan_id,
    plan: plans.get(row.plan_id) ?? '',
    created_time: row.created_time,
    user_id: row.created_by,
    used_user_id: row.used_user_id,
    used_username: names.get(row.used_user_id) ?? '',
    redeemed_time: row.redeemed_time,
    is_gift: row.is_gift === 1,
    max_uses: row.max_uses,
    used_count: row.used_count,
    valid_from: row.valid_from,
    valid_until: row.valid_until,
  }))
}

async function plansOf({ query }: Deps['database'], planIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const uniqueIds = [...new Set(planIds)].filter((id) => id > 0)
  if (uniqueIds.length === 0) return new Map()
  const rows = await query.selectFrom('plans').select(['id', 'name']).where('id', 'in', uniqueIds).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns the code; empty when it was sealed with another secret. */
function openedKey(seal: Deps['seal'], row: Pick<RedemptionRow, 'id' | 'key_sealed'>): string {
  try {
    return seal.open(row.key_sealed, `redemption_codes.key_sealed#${row.id}`)
  } catch {
    return ''
  }
}

/** Never more than half of a code. */
function maskedKey(key: string): string {
  const shown = Math.min(4, Math.floor(key.length / 4))
  return `${key.slice(0, shown)}…${key.slice(key.length - shown)}`
}

export async function namesOf(
  database: Deps['database'],
  userIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const uniqueIds = [...new Set(userIds)].filter((id) => id > 0)
  if (uniqueIds.length === 0) return new Map()
  const rows = await database.query
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', uniqueIds)
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}
