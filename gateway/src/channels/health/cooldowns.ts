import type { Clock } from '../../platform/time/clock'

/** An upstream that names a later time is called again after this one: it may be wrong, or change its mind. */
const maxCooldownMs = 300_000

/**
 * Keys whose upstream said when they can be used again. Others are used meanwhile. A cooldown is not a failure: breakers ignore it. In
 * this worker's memory, by the names that `keyName` gives.
 */
export class Cooldowns {
  readonly #ends = new Map<string, number>()
  /** When the first cooldown ends. */
  #firstEnd = Infinity

  constructor(private readonly clock: Clock) {}

  /** Starts a cooldown of this length; a longer one in progress goes on. */
  start(name: string, seconds: number): void {
    const now = this.clock.monotonic()
    this.#forgetOver(now)
    const end = Math.max(this.#ends.get(name) ?? 0, now + Math.min(seconds * 1000, maxCooldownMs))
    this.#ends.set(name, end)
    this.#firstEnd = Math.min(this.#firstEnd, end)
  }

  /** Returns the seconds until the key may be used again; 0 when it may now. */
  secondsLeft(name: string): number {
    const end = this.#ends.get(name)
    return end === undefined ? 0 : Math.max(0, end - this.clock.monotonic()) / 1000
  }

  /** Returns the keys that are cooling down with the seconds that are left. */
  all(): ReadonlyMap<string, number> {
    const now = this.clock.monotonic()
    this.#forgetOver(now)
    return new Map([...this.#ends].map(([name, end]) => [name, (end - now) / 1000]))
  }

  /** How many keys are cooling down. */
  get count(): number {
    if (this.#ends.size > 0) this.#forgetOver(this.clock.monotonic())
    return this.#ends.size
  }

  #forgetOver(now: number): void {
    if (now < this.#firstEnd) return
    for (const [name, end] of this.#ends) if (end <= now) this.#ends.delete(name)
    this.#firstEnd = Math.min(...this.#ends.values())
  }
}
