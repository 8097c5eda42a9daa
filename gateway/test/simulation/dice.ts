import type { Random } from '../../src/platform/random'

/** All randomness of a simulation, determined by its seed. */
export class Dice implements Random {
  #state: number

  constructor(readonly seed: number) {
    this.#state = seed >>> 0
  }

  /** Mulberry32. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns an integer from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.number() * limit)
  }

  /** Returns true once in `times` throws on average. */
  oneIn(times: number): boolean {
    return this.number() * times < 1
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }

  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, at: this.number() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item)
  }
}
