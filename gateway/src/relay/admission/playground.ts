import type { JsonObject } from '@tollgate/dialects'

import { callerLimits } from './caller-limits'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { guard } from '../../http/guard'
import type { Caller, IncomingCall } from '../call'
import { withoutMember, type ParsedBody } from '../../channels/calls/parsed-body'

/**
 * Resolves with the signed-in user of the playground, in the user's own group. No key is involved and no key's limits apply; the user's
 * balance pays.
 * @throws AppError of the `auth.` family, `playground.token`.
 */
export async function playgroundUser(call: IncomingCall, ctx: Context): Promise<Caller> {
  const signedIn = await guard(ctx, 'calls', call.request)
  if (!signedIn) throw new AppError('auth.required')
  if (signedIn.isByAccessToken) throw new AppError('playground.token')
  const account = await ctx.accounts.byUserId(signedIn.userId)
  if (!account || account.isDeleted) throw new AppError('auth.required')
  const { windows, caps, plans } = callerLimits(account, null, call.catalog)
  const caller = {
    account,
    key: null,
    group: account.group,
    payer: { userId: account.id, tokenId: 0, isTokenLimited: false, windows },
    caps,
    plans,
    tokenName: `playground-${account.group}`,
    pinnedChannelId: null,
    ownLogin: null,
  }
  call.findings.caller = caller
  return caller
}

/**
 * Returns the body as the model receives it: without the group, and without `max_tokens: 0`, by which the console means the model's
 * default.
 */
export function playgroundBody(body: ParsedBody): ParsedBody {
  const requested = withoutMember(body, 'group')
  return requested.json['max_tokens'] === 0 ? withoutMember(requested, 'max_tokens') : requested
}

/** Returns the same user in the group that the body names. @throws AppError `playground.model`. */
export function playgroundCaller(user: Caller, body: JsonObject): Caller {
  if (typeof body['model'] !== 'string' || body['model'] === '') throw new AppError('playground.model')
  return inGroup(user, body)
}

/** Returns the same user in the group that the body names. */
export function inGroup(user: Caller, body: JsonObject): Caller {
  const requested = body['group']
  const group = typeof requested === 'string' && requested !== '' ? requested : user.group
  return { ...user, group, tokenName: `playground-${group}` }
}
