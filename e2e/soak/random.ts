/** Random numbers, reproducible by seed. */
export interface Random {
  /** A number from 0, below 1. */
  next(): number
  /** An integer, both bounds included. */
  between(lowest: number, highest: number): number
  pick<T>(list: readonly [T, ...T[]]): T
  /** This many distinct items, or all if there are fewer. */
  some<T>(list: readonly T[], count: number): T[]
}

/** Mulberry32: small, fast, and uniform enough to choose faults. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (lowest: number, highest: number) => lowest + Math.floor(next() * (highest - lowest + 1))
  return {
    next,
    between,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    some(list, count) {
      const left = [...list]
      return Array.from({ length: Math.min(count, list.length) }, () =>
        left.splice(between(0, left.length - 1), 1),
      ).flat()
    },
  }
}
