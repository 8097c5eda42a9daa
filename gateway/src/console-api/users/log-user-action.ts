import type { PhraseCode } from '@tollgate/contract'

import { adminLog } from '../../billing/ledger/event-logs'
import type { Call } from '../../http/handler'
import type { RoleAction } from './rank'
import { quotaText } from '../../billing/ledger/quota-text'

type UserAction = RoleAction | 'set_password' | 'remove_factors'

const codes = {
  promote: 'log.user_promoted',
  demote: 'log.user_demoted',
  enable: 'log.user_enabled',
  disable: 'log.user_disabled',
  delete: 'log.user_closed',
  set_password: 'log.user_password_set',
  remove_factors: 'log.user_factors_removed',
} as const satisfies Record<UserAction, PhraseCode>

interface ChangedUser {
  readonly id: number
  readonly username: string
  /** For actions that need one. */
  readonly reason?: string
}

/** Writes a row to the user's log: what an administrator did to the account. */
export function logUserAction(
  action: UserAction,
  { id: userId, username, reason = '' }: ChangedUser,
  { ctx, caller, clientIp, requestId }: Call<'user'>,
): void {
  const entry = adminLog({
    createdAt: ctx.clock.seconds(),
    admin: caller,
    clientIp,
    userId,
    username,
    text: { code: codes[action], ...(reason && { params: { reason } }) },
    details: { action },
  })
  ctx.ledger.record(requestId, entry)
}

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
