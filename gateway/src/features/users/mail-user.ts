import { chosenLanguage } from '../../accounts/chosen-language'
import type { Call } from '../../http/handler'
import { tellOwner } from '../../http/tell-owner'
import { queueMail } from '../../mail/queue-mail'
import type { Transaction } from '../../store/database'

/** What an administrator did, and the mail about the same where users do it to themselves. */
const ownNotices = {
  'password-changed-by-admin': 'password-changed',
  'factors-removed-by-admin': 'factor-removed',
} as const

/**
 * Has a user told by mail what an administrator did to the account, if it has an address, in the transaction of what was done.
 * The mail says nothing of the administrator. Call `changes.deliver` after the commit.
 */
export async function mailUser(
  kind: keyof typeof ownNotices,
  userId: number,
  call: Call<'user'>,
  transaction: Transaction,
): Promise<void> {
  const { ctx, caller } = call
  if (userId === caller.userId) return tellOwner(ownNotices[kind], call, transaction)
  const { email, username, setting } = await transaction
    .selectFrom('users')
    .select(['email', 'username', 'setting'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!email) return
  const params = { username, at: Math.floor(ctx.clock.now() / 1000) }
  await queueMail(ctx, { kind, to: email, language: chosenLanguage(setting) ?? call.language, params }, transaction)
}
