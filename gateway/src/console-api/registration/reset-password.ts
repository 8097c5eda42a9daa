import { userStatus, type registrationRoutes, type RouteInput } from '@tollgate/contract'

import { chosenLanguage } from '../../accounts/users/user-settings'
import { hashedPassword } from '../../accounts/users/passwords'
import { endFlows } from '../../accounts/flows/create-flow'
import { takeFlow } from '../../accounts/flows/take-flow'
import { mailAddress, mailOwner } from '../../accounts/users/mail-address'
import { passwordSet } from '../../accounts/users/audit-user'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { limitMails } from '../../http/sign-in/mail-limits'
import { eventContextOf } from '../../http/notify-of-account-change'
import { queueMail } from '../../messaging/mail/queue-mail'
import { isMailSetUp } from '../../messaging/mail/smtp'
import { addNotification } from '../../messaging/messages/add-notification'
import { endSessions } from '../../accounts/sessions/sessions'

/**
 * Sends a link for a new password to an address. Whether it belongs to an account is determined when the mail is sent, so neither the
 * response nor its time reveals it.
 * @throws AppError `smtp.unset`, `login.password_off`, `email.invalid`, `rate.limited`.
 */
export async function requestReset(email: string, call: Call<'guest'>): Promise<void> {
  const { ctx, language } = call
  const { options } = ctx.catalog.current
  if (!isMailSetUp(options)) throw new AppError('smtp.unset')
  if (!options.PasswordLoginEnabled) throw new AppError('login.password_off')
  const to = mailAddress(email)
  await limitMails(to, 'reset', call)
  await ctx.database.query
    .transaction()
    .execute((transaction) => queueMail(ctx, { kind: 'reset-password', to, language, params: {} }, transaction))
  await ctx.changes.deliver()
}

type Body = RouteInput<typeof registrationRoutes.resetPassword>['body']

/**
 * Sets a new password by a mailed link, and ends every other access. All other links to this account end with it.
 * @throws AppError `user.password`, `reset.invalid`.
 */
export async function resetPassword(body: Body, call: Call<'guest'>): Promise<void> {
  const { ctx, audit, language } = call
  const passwordHash = await hashedPassword(body.password)
  const address = body.email.trim().toLowerCase()
  await takeFlow(ctx, 'reset-password', { subject: address, secret: body.token }, async ({ userId }, transaction) => {
    const owner = await mailOwner(transaction, address)
    const isTheirs = owner?.id === userId && owner.deleted_at === null && owner.status === userStatus.enabled
    if (!owner || !isTheirs) throw new AppError('reset.invalid')
    audit.by({ userId, username: owner.username, role: owner.role })
    audit.target('user', userId, owner.username)
    await transaction.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
    await endSessions(userId, transaction)
    await endFlows(ctx, 'reset-password', address, transaction)
    const notice = { kind: 'password-changed', params: eventContextOf(call, owner.username) } as const
    await addNotification(ctx, userId, notice, transaction)
    await queueMail(ctx, { ...notice, to: address, language: chosenLanguage(owner.setting) ?? language }, transaction)
    await ctx.changes.announce({ topic: 'user', refId: userId }, transaction)
  })
  audit.recordChange({}, passwordSet)
  await ctx.changes.deliver()
}
