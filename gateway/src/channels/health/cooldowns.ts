import type { Clock } from '../../clock'

/** An upstream that names a later time is asked again after this one: it may have erred, or changed its mind. */
const longestRestMs = 300_000

/**
 * Keys whose upstream said when they can be used again. Others are asked meanwhile. That is no failure: breakers do not
 * learn of it. In this worker's memory, by the names that `keyName` gives.
 */
export interface Rests {
  /** Leave the key alone for so long; one that rests longer already goes on resting. */
  rest(name: string, seconds: number): void
  /** How long the key still rests; 0 when it does not. */
  secondsLeft(name: string): number
  /** Returns the resting keys with the seconds that are left. */
  all(): ReadonlyMap<string, number>
  /** How many keys rest. */
  readonly count: number
}

export function createRests(clock: Clock): Rests {
  const ends = new Map<string, number>()
  /** Of the rest that is over first. */
  let firstEnd = Infinity

  function forgetOver(now: number) {
    if (now < firstEnd) return
    for (const [name, end] of ends) if (end <= now) ends.delete(name)
    firstEnd = Math.min(...ends.values())
  }

  return {
    rest(name, seconds) {
      const now = clock.monotonic()
      forgetOver(now)
      const end = Math.max(ends.get(name) ?? 0, now + Math.min(seconds * 1000, longestRestMs))
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
