import type { PhraseCode } from '@tollgate/contract'

import { adminLog } from '../../accounts/users/admin-log'
import type { Call } from '../../http/handler'
import type { RoleAction } from './rank'

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
