import { spans } from './dimensions'

/** Whole hours, in seconds: `from` inclusive, `before` exclusive. */
export interface Hours {
  readonly from: number
  readonly before: number
}

/** Returns the hours of the last days until now, the current hour included. */
export function lastDays(days: number, nowMs: number): Hours {
  const before = (Math.floor(nowMs / 1000 / spans.hour) + 1) * spans.hour
  return { from: before - days * spans.day, before }
}

/** Returns the whole UTC days within some hours, if there are any. */
export function daysWithin({ from, before }: Hours): Hours | undefined {
  const first = Math.ceil(from / spans.day) * spans.day
  const after = Math.floor(before / spans.day) * spans.day
  return first < after ? { from: first, before: after } : undefined
}

/** Time in buckets of equal size: a second falls into `floor((second + shift) / size)`. */
export interface TimeBuckets {
  readonly size: number
  readonly shift: number
}

/** Returns whether each bucket consists of whole UTC days. */
export const hasWholeDays = ({ size, shift }: TimeBuckets): boolean => size % spans.day === 0 && shift % spans.day === 0
