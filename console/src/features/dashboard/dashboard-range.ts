import { type dashboardRoutes, daySeconds, hourSeconds } from '@tollgate/contract'

type Step = dashboardRoutes.Granularity

/** More bars than this are too thin to be distinguished. */
const maxBars = 750

const secondsOf = { hour: hourSeconds, day: daySeconds, week: 7 * daySeconds } as const

/** A range that ends now, or a custom one: its first and last second. */
interface DashboardRange {
  readonly start: number
  /** Undefined: until now, at the time of each request. */
  readonly end: number | undefined
}

/** Returns whether a range of this many days can be shown in this step: more than one bar, but not thousands. */
export const isStepFor = (step: Step, days: number): boolean => {
  const bars = (days * daySeconds) / secondsOf[step]
  return bars >= 1 && bars <= maxBars
}

/** Returns the best step for a range. */
export function stepFor(days: number): Step {
  if (days <= 7) return 'hour'
  return days <= 90 ? 'day' : 'week'
}

/**
 * Returns the range of the last `days` days as whole buckets, including the current one: the last 24 hours by the hour, or from the
 * midnight that begins the first day. Changes only when a bucket begins, so that responses can be cached.
 */
export function rangeOf(days: number, step: Step, nowMs: number): DashboardRange {
  if (step === 'hour') {
    const thisHour = Math.floor(nowMs / 1000 / hourSeconds) * hourSeconds
    return { start: thisHour - (days * 24 - 1) * hourSeconds, end: undefined }
  }
  const midnight = new Date(nowMs)
  midnight.setHours(0, 0, 0, 0)
  midnight.setDate(midnight.getDate() - (days - 1))
  return { start: midnight.getTime() / 1000, end: undefined }
}

/** Returns the whole hours around both ends, as hourly sums require; without an end it continues until now. */
export const wholeHours = (from: number, to: number | undefined): DashboardRange => ({
  start: Math.floor(from / hourSeconds) * hourSeconds,
  end: to === undefined ? undefined : Math.floor(to / hourSeconds) * hourSeconds + hourSeconds - 1,
})

/** Returns the part of a bucket within a range, last second included, for the rows behind its bar. */
export function bucketWithin(start: number, step: Step, range: DashboardRange): { from: number; to: number } {
  const { from, to } = bucketOf(start, step)
  return { from: Math.max(from, range.start), to: Math.min(to, range.end ?? to) }
}

/** Returns whether a bucket goes on: its sums are not those of a whole one. */
export const isUnfinished = (start: number | undefined, step: Step, nowMs: number): boolean =>
  start !== undefined && bucketOf(start, step).to * 1000 >= nowMs

/** Returns the first and last second of a bucket, for the rows behind it. */
function bucketOf(start: number, step: Step): { readonly from: number; readonly to: number } {
  if (step === 'hour') return { from: start, to: start + hourSeconds - 1 }
  const end = new Date(start * 1000)
  end.setDate(end.getDate() + (step === 'week' ? 7 : 1))
  return { from: start, to: end.getTime() / 1000 - 1 }
}
