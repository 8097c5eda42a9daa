import * as z from 'zod'

import { route } from '../http/route'
import { BotCheckQuery } from './session'

export const register = route({
  method: 'POST',
  path: '/api/user/register',
  audit: 'account.register',
  access: 'guest',
  limit: 'critical',
  botCheck: 'register',
  summary: 'Create an account with a password',
  query: BotCheckQuery,
  body: z.object({
    username: z.string().max(255),
    password: z.string().max(1024),
    /** The repeated password of a form. */
    password2: z.string().max(1024).optional(),
    email: z.string().max(255).optional(),
    /** From a mail to that address; without one the address is not stored. */
    verification_code: z.string().max(64).optional(),
    /** The invitation code of the inviter. */
    aff_code: z.string().max(64).optional(),
  }),
})

export const sendMailCode = route({
  method: 'GET',
  path: '/api/verification',
  isCompound: true,
  audit: 'account.mail_code',
  access: 'optional',
  scope: null,
  limit: 'critical',
  isWrite: true,
  botCheck: 'verification',
  summary: 'Send a code to a mail address: to register with it, or for a signed-in caller to use it for the account',
  query: BotCheckQuery.extend({ email: z.string().max(255) }),
})

export const requestPasswordReset = route({
  method: 'GET',
  path: '/api/reset_password',
  audit: 'account.ask_reset',
  access: 'guest',
  limit: 'critical',
  isWrite: true,
  botCheck: 'reset',
  summary: 'Send a link to set a new password; the response is the same whether the address is known or not',
  query: BotCheckQuery.extend({ email: z.string().max(255) }),
})

export const resetPassword = route({
  method: 'POST',
  path: '/api/user/reset',
  audit: 'account.reset_password',
  access: 'guest',
  limit: 'critical',
  summary: 'Set a new password by the link of a mail; ends every session of the account',
  body: z.object({
    email: z.string().max(255),
    /** The token in the link. */
    token: z.string().max(255),
    password: z.string().max(1024),
  }),
})

const MailAndCode = z.object({ email: z.string().max(255), code: z.string().max(64) })

/** The owner of the mailbox can set the password, so the caller has to prove their identity again. */
const mailStepUp = { purpose: 'email' } as const

export const bindMail = route({
  method: 'POST',
  path: '/api/oauth/email/bind',
  isCompound: true,
  audit: 'self.bind_mail',
  stepUp: mailStepUp,
  access: 'self.write',
  limit: 'critical',
  summary: 'Set the mail address of the caller’s account',
  body: MailAndCode,
})

export const bindMailByLink = route({
  method: 'GET',
  path: '/api/oauth/email/bind',
  isCompound: true,
  audit: 'self.bind_mail',
  stepUp: mailStepUp,
  access: 'self.write',
  limit: 'critical',
  isWrite: true,
  summary: 'As POST; for existing clients',
  query: MailAndCode,
})
