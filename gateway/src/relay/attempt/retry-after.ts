import type { Context } from '../../context'
import { keyName } from '../../channels/key-name'
import type { Excluded } from '../../routing/keys'
import type { Choice } from '../../channels/choice'
import { tiersOf } from '../../routing/tiers'
import type { RouteRequest } from './route-request'
import type { UpstreamError } from '../../channels/calls/upstream-error'

/** Too many calls: it speaks of the key. */
const tooManyCalls = 429
/** Of the whole channel. */
const overloaded = 503

/**
 * An upstream that says when it can be asked again is left alone until then: its key, or all of the channel when it speaks of
 * itself. The error then names the time after which the first who rests may serve. Answers whether the upstream said so.
 */
export function restAfter(
  error: UpstreamError,
  choice: Choice,
  wish: RouteRequest,
  failed: Excluded,
  { health, metrics }: Pick<Context, 'health' | 'metrics'>,
): boolean {
  const { channel, key } = choice
  const seconds = error.retryAfterSeconds
  if (error.fault !== 'refused' || !seconds) return false
  if (error.status !== tooManyCalls && error.status !== overloaded) return false
  for (const resting of error.status === overloaded ? channel.keys : [key])
    health.rest(keyName(channel, resting), seconds)
  metrics.rested()
  error.comeBackWithin(soonest(choice, wish, failed, health.rests))
  return true
}

/** In so many seconds somebody else may serve: whoever rests least, at once where nobody does. Infinity: there is nobody else. */
function soonest(
  choice: Choice,
  { caller, catalog, model, mode }: RouteRequest,
  failed: Excluded,
  rests: Context['health']['rests'],
): number {
  const own = keyName(choice.channel, choice.key)
  const pinned = caller.pinnedChannelId === null ? null : [choice]
  const candidates = pinned ?? tiersOf(catalog, caller.group, model).flatMap((tier) => tier.candidates)
  let least = Infinity
  for (const { channel } of candidates) {
    if (!channel.isEnabled || !channel.provider.modes[mode]) continue
    for (const key of channel.keys) {
      const name = keyName(channel, key)
      if (!key.isEnabled || name === own) continue
      const left = rests.secondsLeft(name)
      // What failed in this call for another reason is nobody to come back for.
      if (left > 0 || !(failed.keys.has(name) || failed.channels.has(channel.id))) least = Math.min(least, left)
    }
  }
  return least
}
