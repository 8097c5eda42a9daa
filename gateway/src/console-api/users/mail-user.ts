import { chosenLanguage } from '../../accounts/users/user-settings'
import type { Call } from '../../http/handler'
import { notifyOfAccountChange } from '../../http/notify-of-account-change'
import { queueMail } from '../../messaging/mail/queue-mail'
import { addNotification } from '../../messaging/messages/add-notification'
import type { Transaction } from '../../platform/store/database'

/** An administrator's action, and the mail about the same where users do it themselves. */
const ownNotices = {
  'password-changed-by-admin': 'password-changed',
  'factors-removed-by-admin': 'factor-removed',
} as const

/**
 * Notifies a user of what an administrator did to the account, in the inbox and by mail if it has an address, in the transaction of what
 * was done. Neither names the administrator. Call `changes.deliver` after the commit.
 */
export async function mailUser(
  kind: keyof typeof ownNotices,
  userId: number,
  call: Call<'user'>,
  transaction: Transaction,
): Promise<void> {
  const { ctx, caller } = call
  if (userId === caller.userId) return notifyOfAccountChange(ownNotices[kind], call, transaction)
  const { email, username, setting } = await transaction
    .selectFrom('users')
    .select(['email', 'username', 'setting'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const notice = { kind, params: { username, at: ctx.clock.seconds() } }
  await addNotification(ctx, userId, notice, transaction)
  if (!email) return
  await queueMail(ctx, { ...notice, to: email, language: chosenLanguage(setting) ?? call.language }, transaction)
}
