import { auditUser } from '../../accounts/users/audit-user'
import { takeFlow } from '../../accounts/flows/take-flow'
import { chosenLanguage } from '../../accounts/users/user-settings'
import { checkedMailAddress, mailOwner } from '../../accounts/users/mail-address'
import { registerNewcomer } from '../../accounts/users/newcomers'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { eventContextOf } from '../../http/notify-of-account-change'
import { bindSubject } from '../../messaging/mail/prepare-mail'
import { queueMail } from '../../messaging/mail/queue-mail'
import { addNotification } from '../../messaging/messages/add-notification'
import { flowHashOf } from '../../accounts/sessions/session-cookie'

interface Proof {
  readonly email: string
  readonly code: string
}

/**
 * Sets the mail address of the caller's account, proven by a code that was sent there for this account. The previous address is notified.
 * @throws AppError `email.invalid`, `email.domain`, `email.alias`, `email.taken`, `code.wrong`.
 */
export async function bindMail({ email, code }: Proof, call: Call<'user'>): Promise<void> {
  const { ctx, caller, request, language } = call
  const { userId, username } = caller
  const address = checkedMailAddress(email, ctx.catalog.current.options)
  const presented = { subject: bindSubject(userId, address), browser: flowHashOf(request), secret: code.trim() }
  await auditUser(call, { userId }, () =>
    takeFlow(ctx, 'bind-mail', presented, async (_, transaction) => {
      const owner = await mailOwner(transaction, address)
      if (owner && owner.id !== userId) throw new AppError('email.taken')
      const { email: before, setting } = await transaction
        .selectFrom('users')
        .select(['email', 'setting'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      await transaction.updateTable('users').set({ email: address }).where('id', '=', userId).execute()
      if (before && before.toLowerCase() !== address) {
        await registerNewcomer({ email: before }, ctx.clock.seconds(), transaction)
        const params = eventContextOf(call, username)
        const reader = { to: before, language: chosenLanguage(setting) ?? language }
        await addNotification(ctx, userId, { kind: 'address-changed', params }, transaction)
        await queueMail(ctx, { kind: 'mail-changed', ...reader, params }, transaction)
      }
      await ctx.changes.announce({ topic: 'user', refId: userId }, transaction)
    }),
  )
  await ctx.changes.deliver()
}
