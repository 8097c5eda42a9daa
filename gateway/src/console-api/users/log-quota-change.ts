import { adminLog } from '../../accounts/users/admin-log'
import { quotaText } from '../../billing/ledger/quota-text'
import type { Call } from '../../http/handler'

interface QuotaChange {
  readonly userId: number
  readonly username: string
  readonly change: number
  /** The administrator's reason, if any. */
  readonly reason?: string
}

/** Writes a row to the user's log: the balance before and after an administrator's change. */
export async function logQuotaChange(
  { userId, username, change, reason }: QuotaChange,
  call: Call<'user'>,
): Promise<void> {
  const { ctx } = call
  if (change === 0) return
  const { options } = ctx.catalog.current
  const after = (await ctx.ledger.balanceOf([userId])).get(userId) ?? 0
  const before = after - change
  const amounts = { before: quotaText(before, options), after: quotaText(after, options) }
  const entry = adminLog({
    createdAt: ctx.clock.seconds(),
    admin: call.caller,
    clientIp: call.clientIp,
    userId,
    username,
    text: reason
      ? { code: 'log.quota_changed_for', params: { ...amounts, reason } }
      : { code: 'log.quota_changed', params: amounts },
    details: { quota_before: before, quota_after: after, quota_change: change },
  })
  ctx.ledger.record(call.requestId, entry)
}
