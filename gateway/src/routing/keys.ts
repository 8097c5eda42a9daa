import type { Channel, ChannelKey } from '../catalog/catalog'
import { standing, type Health, type Standing } from '../channels/health/health'
import { keyName } from '../channels/key-name'

/** Channels and single keys that this call does not try again. */
export interface Excluded {
  readonly channels: ReadonlySet<number>
  /** As `keyName` names them. */
  readonly keys: ReadonlySet<string>
}

/** Whose turn it is among a channel's keys. */
export interface KeyTurns {
  next(channelId: number): number
}

/** Round robin over the keys of each channel. */
export function createKeyTurns(): KeyTurns {
  const turns = new Map<number, number>()
  return {
    next(channelId) {
      const turn = turns.get(channelId) ?? 0
      turns.set(channelId, (turn + 1) % Number.MAX_SAFE_INTEGER)
      return turn
    },
  }
}

const isUsable = (channel: Channel, key: ChannelKey, { keys }: Excluded): boolean =>
  key.isEnabled && (keys.size === 0 || !keys.has(keyName(channel, key)))

/** Whether a key is left that this call may try. */
export const hasUsableKey = (channel: Channel, excluded: Excluded): boolean =>
  channel.keys.some((key) => isUsable(channel, key, excluded))

type Keys = Pick<Health, 'areKeysClear' | 'keyStandingOf'>

/** How the best of the channel's usable keys stands. */
export function bestStanding(channel: Channel, excluded: Excluded, health: Keys): Standing {
  if (health.areKeysClear()) return standing.steady
  let best: Standing = standing.coolingDown
  for (const key of channel.keys) {
    if (!isUsable(channel, key, excluded)) continue
    const own = health.keyStandingOf(keyName(channel, key))
    if (own < best) best = own
  }
  return best
}

/** The channel's next usable key in turn, of those that stand at least as well as is asked, or of all; null when none is usable. */
export function keyOf(
  channel: Channel,
  turns: KeyTurns,
  excluded: Excluded,
  health: Keys,
  lowest: Standing,
): ChannelKey | null {
  const [only] = channel.keys
  if (only && channel.keys.length === 1) return isUsable(channel, only, excluded) ? only : null
  const usable = channel.keys.filter((key) => isUsable(channel, key, excluded))
  const asked = health.areKeysClear() ? usable : atLeast(channel, usable, health, lowest)
  if (asked.length === 0) return null
  return asked[turns.next(channel.id) % asked.length] ?? null
}

/** Those that stand well enough; where there are none, the best there are. */
function atLeast(channel: Channel, keys: readonly ChannelKey[], health: Keys, lowest: Standing): readonly ChannelKey[] {
  const standings = keys.map((key) => health.keyStandingOf(keyName(channel, key)))
  const limit = Math.max(lowest, Math.min(...standings))
  return keys.filter((_, index) => (standings[index] ?? standing.coolingDown) <= limit)
}
