import type { RouteAnswer, sessionRoutes } from '@tollgate/contract'

import { rememberDevice } from '../accounts/known-devices'
import { deviceCookie, deviceHashOf, sessionCookies } from '../sessions/session-cookie'
import { startSession } from '../sessions/sessions'
import type { Call } from './handler'

type SigningInCall = Pick<Call, 'ctx' | 'request' | 'clientIp' | 'isSecure' | 'answerHeaders'>

/** Begins a session for an authenticated user, whatever the method. Resolves with the user as the console stores it. */
export async function signInUser(
  userId: number,
  call: SigningInCall,
): Promise<RouteAnswer<typeof sessionRoutes.logIn>> {
  const { ctx, request, clientIp, isSecure, answerHeaders } = call
  const userAgent = request.headers.get('user-agent') ?? ''
  const id = await startSession(ctx, { userId, ip: clientIp, userAgent })
  for (const cookie of sessionCookies(id, isSecure)) answerHeaders.append('Set-Cookie', cookie)
  const device = await rememberDevice(ctx, userId, deviceHashOf(request))
  if (device !== null) answerHeaders.append('Set-Cookie', deviceCookie(device, isSecure))
  return ctx.database.query
    .selectFrom('users')
    .select(['id', 'username', 'display_name', 'role', 'status', 'group'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}
