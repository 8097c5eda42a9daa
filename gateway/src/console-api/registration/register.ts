import type { OptionValues, registrationRoutes, RouteInput } from '@tollgate/contract'

import {
  addMember,
  isOpenToNewcomers,
  recordMember,
  requireInviter,
  type Member,
} from '../../accounts/users/add-member'
import { checkedUsername } from '../../accounts/users/usernames'
import { hashedPassword } from '../../accounts/users/passwords'
import { takeFlow } from '../../accounts/flows/take-flow'
import { checkedMailAddress, mailOwner } from '../../accounts/users/mail-address'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { originOf } from '../../http/request/origin-of'
import { flowHashOf } from '../../accounts/sessions/session-cookie'
import type { Transaction } from '../../platform/store/database'

type Body = RouteInput<typeof registrationRoutes.register>['body']

/**
 * Creates an account. A mail address is stored only when a code proved it; without one the site may do without.
 * @throws AppError `register.off`, `register.password_off`, `register.invitation`, `user.username`, `user.password`, `user.password_mismatch`,
 * `register.email_needed`, `email.invalid`, `email.domain`, `email.alias`, `email.taken`, `code.wrong`, `user.exists`.
 */
export async function register(body: Body, call: Call<'guest'>): Promise<void> {
  const { ctx, request, requestId, audit } = call
  const { options } = ctx.catalog.current
  if (!isOpenToNewcomers(options)) throw new AppError('register.off')
  if (!options.PasswordRegisterEnabled) throw new AppError('register.password_off')
  const inviterId = await requireInviter(ctx, body.aff_code?.trim() ?? '')
  const username = checkedUsername(body.username)
  if (body.password2 !== undefined && body.password2 !== body.password) throw new AppError('user.password_mismatch')
  const passwordHash = await hashedPassword(body.password)
  const proof = mailProof(body, options)
  if (proof && (await mailOwner(ctx.database.query, proof.email))) throw new AppError('email.taken')
  const user = { username, displayName: username, passwordHash, invited: { inviterId, origin: originOf(call) } }
  const add = (transaction: Transaction, email?: string) => addMember(ctx, { ...user, email }, transaction)
  const member: Member = proof
    ? await takeFlow(
        ctx,
        'register-mail',
        { subject: proof.email, browser: flowHashOf(request), secret: proof.code },
        (_, transaction) => add(transaction, proof.email),
      )
    : await ctx.database.query.transaction().execute((transaction) => add(transaction))
  audit.target('user', member.userId, username)
  await recordMember(ctx, requestId, member)
}

/** Returns the address to be proven, and its code; null where none is needed and none is given. */
function mailProof(body: Body, options: OptionValues): { email: string; code: string } | null {
  const [email, code] = [body.email?.trim() ?? '', body.verification_code?.trim() ?? '']
  const isWhole = email !== '' && code !== ''
  if ((options.EmailVerificationEnabled || email !== '') && !isWhole) throw new AppError('register.email_needed')
  return isWhole ? { email: checkedMailAddress(email, options), code } : null
}
