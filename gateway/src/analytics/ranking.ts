import type { Figures } from './query'

type Ranked = readonly [key: string, figures: Figures]

/** Returns the largest by quota, then calls, then errors; the key only makes the order deterministic, lower ids first. */
export const largest = (sums: ReadonlyMap<string, Figures>, limit: number): Ranked[] =>
  [...sums]
    .toSorted(
      ([oneKey, one], [otherKey, other]) =>
        other.quota - one.quota ||
        other.count - one.count ||
        other.errors - one.errors ||
        oneKey.length - otherKey.length ||
        (oneKey < otherKey ? -1 : 1),
    )
    .slice(0, limit)
