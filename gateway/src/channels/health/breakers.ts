import type { Clock } from '../../clock'
import { Breaker, type BreakerState } from './breaker'

/** More are not remembered: the one that failed first is forgotten. */
const mostBreakers = 10_000

/** Breakers by name. What never failed, or works again, has none and costs a look into an empty map. */
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

  known(name: string | number): Breaker | undefined {
    return this.#all.get(name)
  }

  /** One that did not fail until now is made. */
  of(name: string | number): Breaker {
    const known = this.#all.get(name)
    if (known) return known
    const breaker = new Breaker(this.clock)
    if (this.#all.size >= mostBreakers)
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
