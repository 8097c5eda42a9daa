import type { Clock } from '../../platform/time/clock'
import { Breaker, type BreakerState } from './breaker'

/** The capacity; beyond it the breaker that failed first is dropped. */
const maxBreakers = 10_000

/** Breakers by name. What never failed, or works again, has none and costs a look-up in an empty map. */
export class Breakers {
  readonly #all = new Map<string | number, Breaker>()

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Nothing failed lately. */
  get isClear(): boolean {
    return this.#all.size === 0
  }

  stateOf(name: string | number): BreakerState {
    return this.#all.get(name)?.state ?? 'closed'
  }

  isSuspect(name: string | number): boolean {
    return this.#all.get(name)?.isSuspect ?? false
  }

  /** Yields the breakers that are not closed or whose latest outcome was a failure. */
  *notable(): Generator<readonly [name: string | number, breaker: Breaker]> {
    for (const [name, breaker] of this.#all) if (breaker.state !== 'closed' || breaker.isSuspect) yield [name, breaker]
  }

  find(name: string | number): Breaker | undefined {
    return this.#all.get(name)
  }

  /** Returns the breaker of this name; creates it if necessary. */
  of(name: string | number): Breaker {
    const known = this.#all.get(name)
    if (known) return known
    const breaker = new Breaker(this.clock)
    if (this.#all.size >= maxBreakers)
      for (const oldest of this.#all.keys()) {
        this.#all.delete(oldest)
        break
      }
    this.#all.set(name, breaker)
    return breaker
  }

  forget(name: string | number): void {
    this.#all.delete(name)
  }
}
