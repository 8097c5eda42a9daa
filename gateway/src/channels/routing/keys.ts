import type { Channel, ChannelKey } from '../catalog/catalog'
import { condition, type Health, type Condition } from '../health/health'
import { keyName } from '../catalog/channel-keys'
import { keyOfSession, type Session } from './session'

/** Channels and single keys that this call does not try again. */
export interface Excluded {
  readonly channels: ReadonlySet<number>
  /** By the names that `keyName` returns. */
  readonly keys: ReadonlySet<string>
}

/** A round robin over the keys of each channel. */
export class KeyTurns {
  readonly #turns = new Map<number, number>()

  next(channelId: number): number {
    const turn = this.#turns.get(channelId) ?? 0
    this.#turns.set(channelId, (turn + 1) % Number.MAX_SAFE_INTEGER)
    return turn
  }
}

const isUsable = (channel: Channel, key: ChannelKey, { keys }: Excluded): boolean =>
  key.isEnabled && (keys.size === 0 || !keys.has(keyName(channel, key)))

/** Returns whether a key is left that this call may try. */
export const hasUsableKey = (channel: Channel, excluded: Excluded): boolean =>
  channel.keys.some((key) => isUsable(channel, key, excluded))

type Keys = Pick<Health, 'areKeysClear' | 'keyConditionOf'>

/** Returns the condition of the best of the channel's usable keys. */
export function bestCondition(channel: Channel, excluded: Excluded, health: Keys): Condition {
  if (health.areKeysClear()) return condition.steady
  let best: Condition = condition.coolingDown
  for (const key of channel.keys) {
    if (!isUsable(channel, key, excluded)) continue
    const own = health.keyConditionOf(keyName(channel, key))
    if (own < best) best = own
  }
  return best
}

interface KeyQuestion {
  readonly turns: KeyTurns
  readonly excluded: Excluded
  readonly health: Keys
  /** The condition to accept. */
  readonly lowest: Condition
  readonly sessionOf: () => Session | null
}

/**
 * Returns the channel's next usable key in turn, or that of the conversation, of those whose condition is at least as good as required, or of all; null when none is
 * usable.
 */
export function keyOf(
  channel: Channel,
  { turns, excluded, health, lowest, sessionOf }: KeyQuestion,
): ChannelKey | null {
  const [only] = channel.keys
  if (only && channel.keys.length === 1) return isUsable(channel, only, excluded) ? only : null
  const usable = channel.keys.filter((key) => isUsable(channel, key, excluded))
  const candidates = health.areKeysClear() ? usable : filterByCondition(channel, usable, health, lowest)
  if (candidates.length === 0) return null
  const session = channel.setting.no_session_affinity === true ? null : sessionOf()
  if (session !== null) return keyOfSession(candidates, session)
  return candidates[turns.next(channel.id) % candidates.length] ?? null
}

/** Returns those whose condition is good enough; where there are none, the best. */
function filterByCondition(
  channel: Channel,
  keys: readonly ChannelKey[],
  health: Keys,
  lowest: Condition,
): readonly ChannelKey[] {
  const conditions = keys.map((key) => health.keyConditionOf(keyName(channel, key)))
  const limit = Math.max(lowest, Math.min(...conditions))
  return keys.filter((_, index) => (conditions[index] ?? condition.coolingDown) <= limit)
}
