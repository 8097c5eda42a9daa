import type { Channel, ChannelKey } from '../catalog/catalog'
import type { Rests } from '../channels/rests'

/** Channels and single keys that this call does not try again. */
export interface Excluded {
  readonly channels: ReadonlySet<number>
  /** As `keyName` names them. */
  readonly keys: ReadonlySet<string>
}

/** The name of a channel's key: two channels may hold the same key. */
export const keyName = (channel: Channel, key: ChannelKey): string => `${channel.id}:${key.fingerprint}`

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

/** Whether one of them does not rest. */
export const isAwake = (channel: Channel, excluded: Excluded, rests: Rests): boolean =>
  rests.count === 0 ||
  channel.keys.some((key) => isUsable(channel, key, excluded) && rests.secondsLeft(keyName(channel, key)) === 0)

/** The channel's next usable key in turn, one that does not rest if there is one; null when none is usable. */
export function keyOf(channel: Channel, turns: KeyTurns, excluded: Excluded, rests: Rests): ChannelKey | null {
  const [only] = channel.keys
  if (only && channel.keys.length === 1) return isUsable(channel, only, excluded) ? only : null
  const usable = channel.keys.filter((key) => isUsable(channel, key, excluded))
  const awake = rests.count === 0 ? usable : usable.filter((key) => rests.secondsLeft(keyName(channel, key)) === 0)
  const asked = awake.length > 0 ? awake : usable
  if (asked.length === 0) return null
  return asked[turns.next(channel.id) % asked.length] ?? null
}
