import type { Random } from '../../platform/random'
import type { Candidate, ChannelKey } from '../catalog/catalog'

/**
 * A conversation, as a number of 32 bits. Vendors cache prompts by account, so its calls go to one channel and key while those serve. Which ones
 * follows from the number alone: every worker and node finds the same without remembering anything.
 */
export type Session = number

/** Returns the number of a conversation of a user. */
export const sessionOf = (userId: number, text: string): Session => Bun.hash.xxHash32(text, userId >>> 0)

/**
 * Returns numbers from 0 to below 1 that follow from a conversation, as even as random ones. What is drawn with them is the same each time, and
 * where the first does not pass the second is, for this conversation alone.
 */
export function numbersOf(session: Session): Pick<Random, 'number'> {
  let drawn = 0
  return {
    number() {
      drawn += 1
      let mixed = Math.imul(session ^ Math.imul(drawn, 0x9e3779b1), 0x85ebca6b)
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
      return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
    },
  }
}

/** Returns whether conversations stay with the channel. */
export const hasAffinity = ({ channel }: Pick<Candidate, 'channel'>): boolean =>
  channel.setting.no_session_affinity !== true

/** Returns the key of a conversation: the same one while it is among them, and no other conversation moves when one leaves. */
export function keyOfSession(keys: readonly ChannelKey[], session: Session): ChannelKey | null {
  let best: ChannelKey | null = null
  let highest = -1
  for (const key of keys) {
    const score = Bun.hash.xxHash32(key.fingerprint, session)
    if (score > highest) [best, highest] = [key, score]
  }
  return best
}
