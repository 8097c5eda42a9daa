import { sessionRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import { endedCookies, sessionHashOf } from '../../accounts/sessions/session-cookie'
import { endSession } from '../../accounts/sessions/sessions'
import { logIn } from './log-in'

/** Ends the session on the server too, so that a copied cookie is worthless. */
async function logOut({ ctx, request, responseHeaders }: Call<'guest'>): Promise<undefined> {
  const idHash = sessionHashOf(request)
  if (idHash !== null) await endSession(ctx.database.query, idHash)
  for (const cookie of endedCookies()) responseHeaders.append('Set-Cookie', cookie)
  // Also the page in the browser's history. Its storage stays: it has the browser's language, theme and conversations.
  responseHeaders.set('Clear-Site-Data', '"cache"')
}

async function ownSessions({ ctx, caller, request }: Call<'user'>) {
  const rows = await ctx.database.query
    .selectFrom('sessions')
    .select(['id_hash', 'created_at', 'last_seen_at', 'expires_at', 'ip', 'user_agent'])
    .where('user_id', '=', caller.userId)
    .where('expires_at', '>', ctx.clock.seconds())
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
  const current = caller.isByAccessToken ? null : sessionHashOf(request)
  return rows.map(({ id_hash: id, ...row }) => ({ id, ...row, is_current: id === current }))
}

/** A copied cookie stops working; devices stay known. */
async function endOthers({ ctx, caller, request }: Call<'user'>): Promise<number> {
  const current = caller.isByAccessToken ? null : sessionHashOf(request)
  const ended = await ctx.database.query
    .deleteFrom('sessions')
    .where('user_id', '=', caller.userId)
    .$if(current !== null, (others) => others.where('id_hash', '!=', current ?? ''))
    .executeTakeFirst()
  return Number(ended.numDeletedRows)
}

export const sessionHandlers: readonly Handler[] = [
  handler(sessionRoutes.logIn, ({ body }, call) => logIn(body, call)),
  handler(sessionRoutes.logOut, (_input, call) => logOut(call)),
  handler(sessionRoutes.logOutByLink, (_input, call) => logOut(call)),
  handler(sessionRoutes.listSessions, (_input, call) => ownSessions(call)),
  handler(sessionRoutes.endOtherSessions, (_input, call) => endOthers(call)),
  handler(sessionRoutes.endSession, async ({ params }, { ctx, caller }) => {
    const isEnded = await endSession(ctx.database.query, params.id, caller.userId)
    if (!isEnded) throw new AppError('session.none')
    return undefined
  }),
]
