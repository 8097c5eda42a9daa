import { adminLog } from '../../accounts/admin-log'
import { quotaText } from '../../accounts/quota-text'
import type { Call } from '../../http/handler'

interface QuotaChange {
  readonly userId: number
  readonly username: string
  readonly change: number
}

/** Leave a row in the user's log: what the balance was and what an administrator made of it. */
export async function logQuotaChange({ userId, username, change }: QuotaChange, call: Call<'admin'>): Promise<void> {
  const { ctx } = call
  if (change === 0) return
  const { options } = ctx.catalog.current
  const after = (await ctx.ledger.balanceOf([userId])).get(userId) ?? 0
  const before = after - change
  const entry = adminLog({
    createdAt: Math.floor(ctx.clock.now() / 1000),
    admin: call.caller,
    clientIp: call.clientIp,
    userId,
    username,
    text: {
      code: 'log.quota_changed',
      params: { before: quotaText(before, options), after: quotaText(after, options) },
    },
    details: { quota_before: before, quota_after: after, quota_change: change },
  })
  ctx.ledger.record(call.requestId, entry)
}
