import { serves } from '@tollgate/providers'

import { limitsReset } from '../../channels/calls/retry-after'
import type { UpstreamError } from '../../channels/calls/upstream-error'
import type { Choice } from '../../channels/catalog/catalog'
import { keyName } from '../../channels/catalog/channel-keys'
import type { Context } from '../../context'
import type { Excluded } from '../../channels/routing/keys'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import type { RouteRequest } from '../stages/route'

/** Too many calls: concerns the key. */
const tooManyCalls = 429
/** Concerns the whole channel. */
const overloaded = 503

/**
 * Starts the cooldown that an upstream requests: of its key, or of all keys of the channel when it is overloaded. Returns the error with
 * the time after which the first of the keys that may serve the call is available again; null when the upstream named no time.
 */
export function applyRetryAfter(
  error: UpstreamError,
  choice: Choice,
  request: RouteRequest,
  failed: Excluded,
  { health, metrics }: Pick<Context, 'health' | 'metrics'>,
): UpstreamError | null {
  const { channel, key } = choice
  const { fault, status, retryAfterSeconds: seconds } = error
  if (fault !== 'refused' || !seconds) return null
  if (status !== tooManyCalls && status !== overloaded) return null
  for (const cooled of status === overloaded ? channel.keys : [key]) health.coolDown(keyName(channel, cooled), seconds)
  metrics.cooledDown()
  return error.withRetryAfter(Math.min(seconds, secondsUntilNext(choice, request, failed, health.cooldowns)))
}

/** Rests a key whose account has used up a limit by a call that it served: the next one would be refused. */
export function restUsedUp(
  headers: Pick<Headers, 'get'>,
  { channel, key }: Choice,
  { health, metrics, clock }: Pick<Context, 'health' | 'metrics' | 'clock'>,
): void {
  const seconds = limitsReset(headers, clock)
  if (!seconds) return
  health.coolDown(keyName(channel, key), seconds)
  metrics.cooledDown()
}

/** Returns the seconds until another key may serve the call, 0 when one is available now; Infinity when there is no other. */
function secondsUntilNext(
  choice: Choice,
  { caller, catalog, model, mode }: RouteRequest,
  failed: Excluded,
  cooldowns: Context['health']['cooldowns'],
): number {
  const own = keyName(choice.channel, choice.key)
  const pinned = caller.pinnedChannelId === null ? null : [choice]
  const candidates = pinned ?? priorityLevelsOf(catalog, caller.group, model).flatMap((level) => level.candidates)
  let minLeft = Infinity
  for (const { channel } of candidates) {
    if (!channel.isEnabled || !serves(channel.provider, mode)) continue
    for (const key of channel.keys) {
      const name = keyName(channel, key)
      if (!key.isEnabled || name === own) continue
      const left = cooldowns.secondsLeft(name)
      // What failed in this call for another reason would fail again.
      if (left > 0 || !(failed.keys.has(name) || failed.channels.has(channel.id))) minLeft = Math.min(minLeft, left)
    }
  }
  return minLeft
}
