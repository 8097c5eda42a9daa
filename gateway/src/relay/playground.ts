import type { JsonObject } from '@tollgate/dialects'

import { AppError } from '../app-error'
import type { Context } from '../context'
import { guard } from '../http/guard'
import type { Caller, IncomingCall } from './call'
import { withoutMember, type ParsedBody } from './read-body'

/**
 * The signed-in user of the playground. No key is touched and no key's limits apply; the user's balance pays.
 * @throws AppError of the `auth.` family, `playground.token`, `playground.model`.
 */
export async function playgroundCaller(call: IncomingCall, body: JsonObject, ctx: Context): Promise<Caller> {
  const signedIn = await guard(ctx, 'user', call.request)
  if (!signedIn) throw new AppError('auth.required')
  if (signedIn.isByAccessToken) throw new AppError('playground.token')
  if (typeof body['model'] !== 'string' || body['model'] === '') throw new AppError('playground.model')
  const account = await ctx.accounts.byUserId(signedIn.userId)
  if (!account || account.isDeleted) throw new AppError('auth.required')
  const asked = body['group']
  const group = typeof asked === 'string' && asked !== '' ? asked : account.group
  return {
    account,
    key: null,
    group,
    payer: { userId: account.id, tokenId: 0, isTokenLimited: false },
    tokenName: `playground-${group}`,
    pinnedChannelId: null,
  }
}

/** What the model is asked: without the group, and without `max_tokens: 0`, by which the console means the model's default. */
export function playgroundBody(body: ParsedBody): ParsedBody {
  const asked = withoutMember(body, 'group')
  return asked.json['max_tokens'] === 0 ? withoutMember(asked, 'max_tokens') : asked
}
