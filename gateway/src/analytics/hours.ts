import { spans } from './dimensions'

/** Whole hours, in seconds: from one, before another. */
export interface Hours {
  readonly from: number
  readonly before: number
}

/** Returns the whole days in UTC within some hours, if there are any. */
export function daysWithin({ from, before }: Hours): Hours | undefined {
  const first = Math.ceil(from / spans.day) * spans.day
  const after = Math.floor(before / spans.day) * spans.day
  return first < after ? { from: first, before: after } : undefined
}

/** Time in equal parts: a second falls into `floor((second + shift) / size)`. */
export interface Parts {
  readonly size: number
  readonly shift: number
}

/** Returns whether each part consists of whole days in UTC. */
export const isMadeOfDays = ({ size, shift }: Parts): boolean => size % spans.day === 0 && shift % spans.day === 0
