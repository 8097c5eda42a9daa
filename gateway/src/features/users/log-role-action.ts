import type { PhraseCode } from '@tollgate/contract'

import { adminLog } from '../../accounts/admin-log'
import type { Call } from '../../http/handler'
import type { RoleAction } from './rank'

const codes = {
  promote: 'log.user_promoted',
  demote: 'log.user_demoted',
  enable: 'log.user_enabled',
  disable: 'log.user_disabled',
  delete: 'log.user_closed',
} as const satisfies Record<RoleAction, PhraseCode>

/** Leaves a row in the user's log: what an administrator did to the account. */
export function logRoleAction(
  action: RoleAction,
  user: { readonly id: number; readonly username: string },
  { ctx, caller, clientIp, requestId }: Call<'user'>,
): void {
  const entry = adminLog({
    createdAt: Math.floor(ctx.clock.now() / 1000),
    admin: caller,
    clientIp,
    userId: user.id,
    username: user.username,
    text: { code: codes[action] },
    details: { action },
  })
  ctx.ledger.record(requestId, entry)
}
