import type { RouteResult, SecondFactorRequest, sessionRoutes } from '@tollgate/contract'

import { chosenLanguage } from '../../accounts/users/user-settings'
import { rememberDevice } from '../../accounts/sessions/known-devices'
import { queueMail } from '../../messaging/mail/queue-mail'
import { addNotification } from '../../messaging/messages/add-notification'
import { deviceCookie, deviceHashOf, sessionCookies } from '../../accounts/sessions/session-cookie'
import { isFamiliar, startSession } from '../../accounts/sessions/sessions'
import type { Call } from '../handler'
import { eventContextOf } from '../notify-of-account-change'
import { factorsOf, hasFactor, kindsOf } from '../../accounts/factors/held-factors'
import { createFlow } from '../../accounts/flows/create-flow'
import { flowKinds } from '../../accounts/flows/flow-kinds'
import { AppError } from '../../platform/app-error'
import { sha256 } from '../../platform/store/seal'
import { flowBrowser } from './flow-browser'
import { passkeyRequest } from './passkey-proof'
import { passkeySiteOf } from './passkey-site'

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

type UnfinishedSignIn = Pick<Call, 'ctx' | 'request' | 'isSecure' | 'responseHeaders'>

/**
 * Refuses a sign-in for now if the user has a second factor: the refusal carries what is needed to complete it, and where it was to lead.
 * @throws AppError `login.second_factor`.
 */
async function requireSecondFactor(userId: number, call: UnfinishedSignIn, returnTo: string | null): Promise<void> {
  const { ctx } = call
  const held = await factorsOf(ctx.database.query, userId)
  if (!hasFactor(held)) return
  const token = await createFlow(ctx, 'second-factor', {
    subject: '',
    browser: flowBrowser(call),
    payload: { userId, password: await passwordDigest(call, userId) },
  })
  const site = held.passkeys.length > 0 ? passkeySiteOf(call) : null
  const details: SecondFactorRequest = {
    token,
    expires_at: ctx.clock.seconds() + flowKinds['second-factor'].seconds,
    factors: kindsOf(held),
    ...(returnTo !== null && { return_to: returnTo }),
    ...(site && { passkey: passkeyRequest(token, site, held.passkeys) }),
  }
  throw new AppError('login.second_factor', { envelopeFields: { second_factor: details } })
}

/** Resolves with a digest that changes with the password; empty for an account that is closed or gone. */
export async function passwordDigest({ ctx }: Pick<Call, 'ctx'>, userId: number): Promise<string> {
  const user = await ctx.database.query
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return user ? sha256(`password:${user.password_hash}`) : ''
}
