import { spans } from './dimensions'

/** Whole hours, in seconds: from one, before another. */
export interface Hours {
  readonly from: number
  readonly before: number
}

/** The whole parts of so many seconds each that lie within some hours. */
export function wholeWithin({ from, before }: Hours, seconds: number): Hours | undefined {
  const first = Math.ceil(from / seconds) * seconds
  const after = Math.floor(before / seconds) * seconds
  return first < after ? { from: first, before: after } : undefined
}

/** The whole days in UTC within some hours. */
export const daysWithin = (hours: Hours): Hours | undefined => wholeWithin(hours, spans.day)
