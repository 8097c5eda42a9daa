import type { Clock } from '../../platform/time/clock'

/** An upstream that names a later time is called again after this one: it may be wrong, or change its mind. */
const maxCooldownMs = 300_000

/**
 * Keys whose upstream said when they can be used again. Others are used meanwhile. A cooldown is not a failure: breakers ignore it. In
 * this worker's memory, by the names that `keyName` gives.
 */
export interface Cooldowns {
  /** Starts a cooldown of this length; a longer one in progress goes on. */
  start(name: string, seconds: number): void
  /** Returns the seconds until the key may be used again; 0 when it may now. */
  secondsLeft(name: string): number
  /** Returns the keys that are cooling down with the seconds that are left. */
  all(): ReadonlyMap<string, number>
  /** How many keys are cooling down. */
  readonly count: number
}

export function createCooldowns(clock: Clock): Cooldowns {
  const ends = new Map<string, number>()
  /** When the first cooldown ends. */
  let firstEnd = Infinity

  function forgetOver(now: number) {
    if (now < firstEnd) return
    for (const [name, end] of ends) if (end <= now) ends.delete(name)
    firstEnd = Math.min(...ends.values())
  }

  return {
    start(name, seconds) {
      const now = clock.monotonic()
      forgetOver(now)
      const end = Math.max(ends.get(name) ?? 0, now + Math.min(seconds * 1000, maxCooldownMs))
      ends.set(name, end)
      firstEnd = Math.min(firstEnd, end)
    },
    secondsLeft(name) {
      const end = ends.get(name)
      return end === undefined ? 0 : Math.max(0, end - clock.monotonic()) / 1000
    },
    all() {
      const now = clock.monotonic()
      forgetOver(now)
      return new Map([...ends].map(([name, end]) => [name, (end - now) / 1000]))
    },
    get count() {
      if (ends.size > 0) forgetOver(clock.monotonic())
      return ends.size
    },
  }
}
