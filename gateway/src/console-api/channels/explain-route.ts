import { isWithinReach, channelRoutes } from '@tollgate/contract'

import { loadAccount, loadToken, type Account, type ApiKey } from '../../accounts/callers/account'
import { accountRefusal, groupRefusal, modelRefusal } from '../../accounts/callers/caller-refusal'
import { userIdOf } from '../../accounts/users/usernames'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import type { Language } from '../../http/language'
import { sentence } from '../../http/language'
import { explainName } from './explain-name'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import { findFullWindows } from './full-windows'
import { explainCandidates, outsidersOf } from './route-candidates'

interface RouteQuery {
  readonly model: string
  readonly group?: string
  readonly user?: string
  readonly token?: string
}

/** The user, and the key if one is given, whose call is explained. */
interface Party {
  readonly account: Account
  readonly key: ApiKey | null
}

/**
 * Resolves with the channels that would serve a model for a group, user or token: tiers in the order they are tried, each channel's share,
 * and the reasons against every other channel.
 * @throws AppError `user.none`, `token.none`.
 */
export async function explainRoute(
  { ctx, caller, language }: Call<'user'>,
  query: RouteQuery,
): Promise<channelRoutes.RouteExplanation> {
  const catalog = ctx.catalog.current
  const party = await partyOf({ ctx, caller }, query)
  const group = query.group || party?.key?.group || party?.account.group || 'default'
  const named = explainName({ group, model: query.model }, catalog, ctx.clock)
  const routeRequest = { group, model: named.model, acceptsUnpriced: party?.account.acceptsUnpricedModels ?? false }
  const listed = priorityLevelsOf(catalog, group, named.model).flatMap(({ candidates }) => candidates)
  const fullWindows = await findFullWindows(
    ctx,
    listed.map(({ channel }) => channel),
  )
  const tiers = explainCandidates(
    { catalog, health: ctx.health, fullWindows },
    { ...routeRequest, userGroup: party?.account.group ?? group, mayReadCosts: caller.grants.has('costs.read') },
  )
  const candidates = new Set(tiers.flatMap(({ channels }) => channels.map(({ id }) => id)))
  const others = await outsidersOf(ctx, routeRequest, candidates, language)
  return {
    group,
    ...named,
    caller: party && {
      user_id: party.account.id,
      username: party.account.username,
      token_id: party.key?.id ?? 0,
      token_name: party.key?.name ?? '',
      refusal: refusalOf({ ...party, group }, query.model, { ctx, language }),
    },
    tiers,
    others: others.slice(0, channelRoutes.maxOutsiders),
    others_total: others.length,
  }
}

async function partyOf(
  { ctx, caller }: Pick<Call<'user'>, 'ctx' | 'caller'>,
  { user, token }: RouteQuery,
): Promise<Party | null> {
  if (!token && !user) return null
  const userId = await userIdOf(ctx.database.query, user)
  if (userId === null) throw new AppError('user.none')
  const key = token ? await loadToken(ctx.database, token, userId) : null
  if (token && !key) throw new AppError('token.none')
  const account = key?.account ?? (await loadAccount(ctx.database, userId ?? 0))
  const isReadable =
    account &&
    (account.id === caller.userId || (caller.grants.has('users.read') && isWithinReach(caller.rank, account.rank)))
  if (!isReadable || account.isDeleted) throw new AppError('user.none')
  return { account, key }
}

/** Returns a sentence that says why the call would be refused before a channel is tried; empty when it would not. */
function refusalOf(
  party: Party & { readonly group: string },
  model: string,
  { ctx, language }: Pick<Call, 'ctx'> & { readonly language: Language },
): string {
  const refusal =
    accountRefusal(party, ctx.clock.now()) ??
    groupRefusal(party, ctx.catalog.current.options) ??
    modelRefusal(party, model)
  return refusal ? sentence(refusal.code, refusal.params, language) : ''
}
