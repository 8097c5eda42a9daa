import { spans } from './dimensions'

/** Whole hours, in seconds: from one, before another. */
export interface Hours {
  readonly from: number
  readonly before: number
}

/** The whole days in UTC within some hours. */
export function daysWithin({ from, before }: Hours): Hours | undefined {
  const first = Math.ceil(from / spans.day) * spans.day
  const after = Math.floor(before / spans.day) * spans.day
  return first < after ? { from: first, before: after } : undefined
}
