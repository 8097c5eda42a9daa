import { registrationRoutes } from '@tollgate/contract'

import { handler, type Handler, type Call } from '../../http/handler'
import { bindMail } from './bind-mail'
import { register } from './register'
import { requestReset, resetPassword } from './reset-password'
import { isOpenToNewcomers } from '../../accounts/users/add-member'
import { checkedMailAddress } from '../../accounts/users/mail-address'
import { AppError } from '../../platform/app-error'
import { flowBrowser } from '../../http/sign-in/flow-browser'
import { limitMails } from '../../http/sign-in/mail-limits'
import { queueMail } from '../../messaging/mail/queue-mail'
import { isMailSetUp } from '../../messaging/mail/smtp'

export const registrationHandlers: readonly Handler[] = [
  handler(registrationRoutes.register, async ({ body }, call) => {
    await register(body, call)
    return undefined
  }),
  handler(registrationRoutes.sendMailCode, async ({ query }, call) => {
    await sendMailCode(query.email, call)
    return undefined
  }),
  handler(registrationRoutes.requestPasswordReset, async ({ query }, call) => {
    await requestReset(query.email, call)
    return undefined
  }),
  handler(registrationRoutes.resetPassword, async ({ body }, call) => {
    await resetPassword(body, call)
    return undefined
  }),
  handler(registrationRoutes.bindMail, async ({ body }, call) => {
    await bindMail(body, call)
    return undefined
  }),
  handler(registrationRoutes.bindMailByLink, async ({ query }, call) => {
    await bindMail(query, call)
    return undefined
  }),
]

/**
 * Sends a code to an address: to register with it, or for the signed-in user to use it. The response is the same for an address that is
 * taken; its owner is told by mail.
 * @throws AppError `smtp.unset`, `register.off`, `email.invalid`, `email.domain`, `email.alias`, `rate.limited`.
 */
async function sendMailCode(email: string, call: Call<'optional'>): Promise<void> {
  const { ctx, caller, language } = call
  const { options } = ctx.catalog.current
  if (!isMailSetUp(options)) throw new AppError('smtp.unset')
  if (!caller && !isOpenToNewcomers(options)) throw new AppError('register.off')
  const to = checkedMailAddress(email, options)
  await limitMails(to, 'code', call)
  const browser = flowBrowser(call)
  await ctx.database.query
    .transaction()
    .execute((transaction) =>
      caller
        ? queueMail(ctx, { kind: 'bind-code', to, language, params: { browser, userId: caller.userId } }, transaction)
        : queueMail(ctx, { kind: 'register-code', to, language, params: { browser } }, transaction),
    )
  await ctx.changes.deliver()
}
