import { AppError } from '../../app-error'

export const hourSeconds = 3600
export const daySeconds = 24 * hourSeconds

/** Whole hours: the first second, and the first that no longer belongs. */
export interface Span {
  readonly from: number
  readonly before: number
}

interface AskedRange {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
}

interface SpanLimits {
  /** In seconds: where no start is given, and at the most. */
  readonly usual: number
  readonly longest: number
}

const hourOf = (time: number) => Math.floor(time / hourSeconds) * hourSeconds

/**
 * The whole hours of a range that ends at `now` (seconds) at the latest; a range that is too long keeps its end.
 * @throws AppError `param.invalid` for a range that ends before it begins.
 */
export function spanOf(asked: AskedRange, now: number, { usual, longest }: SpanLimits): Span {
  const end = Math.max(Math.min(asked.end_timestamp || now, now), 0)
  const before = hourOf(end) + hourSeconds
  const start = Math.max(asked.start_timestamp ?? before - usual, 0)
  if (start > end) throw new AppError('param.invalid', { params: { field: 'end_timestamp' } })
  return { from: Math.max(hourOf(start), before - longest), before }
}

/** What lies before a time of it. */
export const folded = ({ from, before }: Span, until: number): Span => ({
  from,
  before: Math.max(from, Math.min(before, until)),
})

/** What is left of it. */
export const unfolded = ({ from, before }: Span, until: number): Span => ({
  from: Math.min(Math.max(from, until), before),
  before,
})

/** The equally long span before. */
export const spanBefore = ({ from, before }: Span): Span => ({ from: from - (before - from), before: from })

/** The span in parts of at most `seconds`, in order. They meet where days, or weeks, begin if so many seconds are made of those. */
export function partsOf({ from, before }: Span, seconds: number): Span[] {
  const parts: Span[] = []
  for (let start = from; start < before;) {
    const next = Math.min(seconds === Infinity ? before : start + seconds - (start % seconds), before)
    parts.push({ from: start, before: next })
    start = next
  }
  return parts
}
