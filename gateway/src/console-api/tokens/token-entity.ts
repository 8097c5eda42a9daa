import { tokenStatus, type tokenRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { TokenRow } from '../../platform/store/tables'

/** Returns what is shown of a token's key. */
export type ShownKey = (row: Pick<TokenRow, 'id' | 'key_sealed'>) => string

/** Resolves with tokens in the form that is returned, with their current balance. */
export async function tokenEntities(
  ctx: Context,
  rows: readonly TokenRow[],
  shownKey: ShownKey,
): Promise<tokenRoutes.TokenEntity[]> {
  const balances = await ctx.ledger.tokenBalanceOf(rows.map(({ id }) => id))
  const now = ctx.clock.seconds()
  return rows.map((row) => {
    const balance = balances.get(row.id) ?? 0
    return {
      id: row.id,
      user_id: row.user_id,
      key: shownKey(row),
      name: row.name,
      status: statusNow(row, balance, now),
      created_time: row.created_time,
      accessed_time: row.accessed_time,
      last_ip: row.last_ip,
      expired_time: row.expired_time,
      remain_quota: balance,
      remain_quota_read: balance,
      used_quota: row.used_quota,
      unlimited_quota: row.unlimited_quota === 1,
      model_limits_enabled: row.model_limits_enabled === 1,
      model_limits: row.model_limits,
      allow_ips: row.allow_ips,
      group: row.group,
      rate_limit_enabled: row.rate_limit_enabled === 1,
      rate_limit_period: row.rate_limit_period,
      rate_limit_count: row.rate_limit_count,
      rate_limit_success: row.rate_limit_success,
      response_cache: row.response_cache,
      previous_key_until: row.previous_key_until > now ? row.previous_key_until : 0,
    }
  })
}

/** Returns the key of a token; empty when it was sealed with another secret, which also means that it cannot be shown again. */
export function keyOf(ctx: Context, row: Pick<TokenRow, 'id' | 'key_sealed'>): string {
  try {
    return ctx.seal.open(row.key_sealed, `tokens.key_sealed#${row.id}`)
  } catch {
    return ''
  }
}

type Validity = Pick<TokenRow, 'status' | 'expired_time' | 'unlimited_quota'>

/** Disabled stays disabled; otherwise expired and exhausted depend on the time and the balance. */
export function statusNow(row: Validity, balance: number, now: number): number {
  if (row.status === tokenStatus.disabled) return tokenStatus.disabled
  if (row.expired_time !== -1 && row.expired_time <= now) return tokenStatus.expired
  if (row.unlimited_quota === 0 && balance <= 0) return tokenStatus.exhausted
  return tokenStatus.enabled
}
