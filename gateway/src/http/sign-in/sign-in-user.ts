import type { RouteResult, sessionRoutes } from '@tollgate/contract'

import { chosenLanguage } from '../../accounts/users/chosen-language'
import { rememberDevice } from '../../accounts/sessions/known-devices'
import { queueMail } from '../../messaging/mail/queue-mail'
import { addNotification } from '../../messaging/messages/add-notification'
import { deviceCookie, deviceHashOf, sessionCookies } from '../../accounts/sessions/session-cookie'
import { isFamiliar, startSession } from '../../accounts/sessions/sessions'
import type { Call } from '../handler'
import { eventContextOf } from '../request/event-context-of'
import { requireSecondFactor } from './require-second-factor'

type SigningInCall = Pick<Call, 'ctx' | 'request' | 'clientIp' | 'isSecure' | 'responseHeaders' | 'language'>

/** A younger account was just created by this sign-in. */
const newAccountSeconds = 600

/**
 * Begins a session for a user who has proven their identity, by whichever means except a second factor. Resolves with what the console
 * keeps about the user. `returnTo` is the console page to show afterwards, where one was named.
 * @throws AppError `login.second_factor` where the account has one.
 */
export async function signInUser(
  userId: number,
  call: SigningInCall,
  returnTo: string | null = null,
): Promise<RouteResult<typeof sessionRoutes.logIn>> {
  await requireSecondFactor(userId, call, returnTo)
  return beginSession(userId, call)
}

/** Begins the session of a user with nothing left to prove. */
export async function beginSession(
  userId: number,
  call: SigningInCall,
): Promise<RouteResult<typeof sessionRoutes.logIn>> {
  const { ctx, request, clientIp, isSecure, responseHeaders } = call
  const userAgent = request.headers.get('user-agent') ?? ''
  const session = { userId, ip: clientIp, userAgent }
  const id = await startSession(ctx, session)
  for (const cookie of sessionCookies(id, isSecure)) responseHeaders.append('Set-Cookie', cookie)
  const device = await rememberDevice(ctx, userId, deviceHashOf(request))
  if (device.id !== null) responseHeaders.append('Set-Cookie', deviceCookie(device.id, isSecure))
  const {
    created_at: createdAt,
    email,
    setting,
    ...signedIn
  } = await ctx.database.query
    .selectFrom('users')
    .select(['id', 'username', 'display_name', 'role', 'status', 'group', 'email', 'setting', 'created_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const isNewAccount = ctx.clock.seconds() - createdAt < newAccountSeconds
  if (device.isNew && !isNewAccount && !(await isFamiliar(ctx, session))) {
    const language = chosenLanguage(setting) ?? call.language
    await notifyOfDevice({ ...signedIn, email }, { ...call, language })
  }
  return signedIn
}

interface Owner {
  readonly id: number
  readonly username: string
  readonly email: string | null
}

async function notifyOfDevice({ id, username, email }: Owner, call: SigningInCall): Promise<void> {
  const { ctx, language } = call
  const notice = { kind: 'new-device', params: eventContextOf(call, username) } as const
  await ctx.database.query.transaction().execute(async (transaction) => {
    await addNotification(ctx, id, notice, transaction)
    if (email) await queueMail(ctx, { ...notice, to: email, language }, transaction)
  })
  await ctx.changes.deliver()
}
