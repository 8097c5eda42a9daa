import { registrationRoutes } from '@tollgate/contract'

import { handler, type Handler } from '../../http/handler'
import { bindMail } from './bind-mail'
import { register } from './register'
import { askForReset, resetPassword } from './reset-password'
import { sendMailCode } from './send-mail-code'

export const registrationHandlers: readonly Handler[] = [
  handler(registrationRoutes.register, async ({ body }, call) => {
    await register(body, call)
    return undefined
  }),
  handler(registrationRoutes.sendMailCode, async ({ query }, call) => {
    await sendMailCode(query.email, call)
    return undefined
  }),
  handler(registrationRoutes.askForReset, async ({ query }, call) => {
    await askForReset(query.email, call)
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
