import { serves, takesOwnLogins, type Service } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import type { Candidate, Catalog, Channel, Choice, OwnLogin } from '../../channels/catalog/catalog'
import { condition } from '../../channels/health/health'
import type { Context } from '../../context'
import { keyOf, type Excluded, type KeyTurns } from '../../channels/routing/keys'
import { loginKey, takesLogin } from '../../channels/routing/own-login'
import { plan } from '../../channels/routing/plan'
import type { Session } from '../../channels/routing/session'
import { bareModel, priorityLevelsOf } from '../../channels/routing/priority-levels'
import type { Caller } from '../call'
import type { Departure } from '../departure'

export type RouteDeps = Pick<Context, 'random' | 'health'> & { readonly keyTurns: KeyTurns }

const noSession = () => null

/** Returns the channel and key for the next attempt; null when none is left. */
export function route(
  request: RouteRequest,
  { failed: excluded, isRetry }: { readonly failed: Excluded; readonly isRetry: boolean },
  deps: RouteDeps,
): Choice | null {
  const { caller, catalog, model, mode, promptTokens, canServe, sessionOf = noSession } = request
  if (caller.pinnedChannelId !== null) return choosePinned(request, caller.pinnedChannelId, excluded, deps)
  const { random, health, keyTurns } = deps
  const { group, ownLogin } = caller
  return plan(catalog, {
    group,
    model,
    mode,
    promptTokens,
    sessionOf,
    excluded,
    isRetry,
    random,
    health,
    keyTurns,
    ownLogin,
    canServe,
  })
}

function choosePinned(
  request: RouteRequest,
  id: number,
  excluded: Excluded,
  { keyTurns, health }: RouteDeps,
): Choice | null {
  const { catalog, model, mode } = request
  const { ownLogin } = request.caller
  const channel = catalog.channels.get(id)
  if (channel && ownLogin) return pinnedWithLogin({ channel, model: withoutPrefix(model, channel) }, ownLogin, mode)
  const key =
    channel &&
    keyOf(channel, {
      turns: keyTurns,
      excluded,
      health,
      lowest: condition.ready,
      sessionOf: request.sessionOf ?? noSession,
    })
  return channel && key ? { channel, key, model: withoutPrefix(model, channel) } : null
}

const pinnedWithLogin = (chosen: Pick<Choice, 'channel' | 'model'>, ownLogin: OwnLogin, mode: Service) =>
  takesLogin(chosen, ownLogin, mode) ? { ...chosen, key: loginKey(ownLogin), ownLogin } : null

/**
 * Returns the name under which a call is billed: without a channel's prefix.
 * @throws AppError `model.unknown`, `route.no_channel`, `endpoint.unsupported` when no channel serves the model; `route.own_login` when none does
 * with the client's own login.
 */
export function billedModel(request: ModelRequest): string {
  const { caller, catalog, model, mode } = request
  const { ownLogin } = caller
  if (ownLogin && !candidatesOf(request).some((candidate) => takesLogin(candidate, ownLogin, mode)))
    throw new AppError('route.own_login', { params: { model } })
  const channel = caller.pinnedChannelId === null ? undefined : catalog.channels.get(caller.pinnedChannelId)
  if (channel) return withoutPrefix(model, channel)
  const bare = bareModel(catalog, caller.group, model)
  if (bare === null) throw noRouteError(request)
  return bare
}

/** Returns the channels that may serve a model for a caller. */
export function candidatesOf({ caller, catalog, model }: Omit<ModelRequest, 'mode'>): readonly Candidate[] {
  if (caller.pinnedChannelId === null)
    return priorityLevelsOf(catalog, caller.group, model).flatMap((level) => level.candidates)
  const channel = catalog.channels.get(caller.pinnedChannelId)
  return channel ? [{ channel, weight: 1, model: withoutPrefix(model, channel) }] : []
}

/** Returns the model as a channel lists it. */
const withoutPrefix = (model: string, { modelPrefix }: Channel): string =>
  modelPrefix !== '' && model.startsWith(modelPrefix) ? model.slice(modelPrefix.length) : model

/** Returns why no channel is available: the model is unknown, the vendors do not offer this mode, or all channels are disabled. */
export function noRouteError({ caller, catalog, model, mode }: ModelRequest): AppError {
  const params = { model, group: caller.group }
  if (caller.pinnedChannelId !== null) return new AppError('route.no_channel', { params })
  const candidates = candidatesOf({ caller, catalog, model })
  if (candidates.length === 0) {
    return new AppError(isListedAnywhere(catalog, caller.group, model) ? 'route.no_channel' : 'model.unknown', {
      params,
    })
  }
  const needsLogin = caller.ownLogin === null && candidates.every(({ channel }) => isForLogins(channel))
  if (needsLogin) return new AppError('route.own_login_needed', { params })
  const isServable = candidates.some(({ channel }) => serves(channel.provider, mode))
  return new AppError(isServable ? 'route.no_channel' : 'endpoint.unsupported', { params })
}

/** Returns whether a channel has no key, and serves clients with their own logins alone. */
const isForLogins = ({ keys, setting }: Channel): boolean => keys.length === 0 && takesOwnLogins({ setting })

/** Returns whether a disabled channel lists the model: then it will be back. */
function isListedAnywhere(catalog: Catalog, group: string, model: string): boolean {
  for (const channel of catalog.channels.values()) {
    if (!channel.groups.includes(group)) continue
    if (channel.modelPrefix !== '' && !model.startsWith(channel.modelPrefix)) continue
    if (channel.models.includes(withoutPrefix(model, channel))) return true
  }
  return false
}

/** A model that a caller requests. */
interface ModelRequest {
  readonly caller: Pick<Caller, 'group' | 'pinnedChannelId' | 'ownLogin'>
  readonly catalog: Catalog
  /** As the caller names it. */
  readonly model: string
  readonly mode: Service
}

export interface RouteRequest extends ModelRequest {
  readonly promptTokens: number
  /** Returns the conversation whose calls stay together. Absent: none. */
  readonly sessionOf?: () => Session | null
  readonly departure: Pick<Departure, 'isGone' | 'signal'>
  /** Monotonic time at which the total timeout of the call ends. */
  readonly deadline: number
  /** Tells channels that can serve the call of others. Absent: any can. */
  readonly canServe?: ((candidate: Candidate) => boolean) | undefined
  /** Channels that have no price for this call. */
  readonly unpriced?: ReadonlySet<number>
  /** Channels and keys of other accounts than those that hold what the call names. */
  readonly excluded?: Excluded | undefined
  /** All others than those that should serve the call; they are tried when these have failed. */
  readonly nonPreferred?: Excluded | null | undefined
}
