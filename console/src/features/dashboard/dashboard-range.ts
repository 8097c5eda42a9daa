import type { dashboardRoutes } from '@tollgate/contract'

type Step = dashboardRoutes.Granularity

const hourSeconds = 3600
const daySeconds = 86_400
/** More bars than this are thinner than what the eye tells apart. */
const mostBars = 750

const secondsOf = { hour: hourSeconds, day: daySeconds, week: 7 * daySeconds } as const

/** A range that ends now, or one between two times: its first and last second. */
export interface DashboardRange {
  readonly start: number
  /** Undefined: until now, whenever that is asked. */
  readonly end: number | undefined
}

/** Returns whether a range of so many days can be shown in this step: neither one bar nor thousands of them. */
export const isStepFor = (step: Step, days: number): boolean => {
  const bars = (days * daySeconds) / secondsOf[step]
  return bars >= 1 && bars <= mostBars
}

/** Returns the step a range is read best in. */
export function stepFor(days: number): Step {
  if (days <= 7) return 'hour'
  return days <= 90 ? 'day' : 'week'
}

/**
 * Returns the range of the last `days` days as whole buckets, the running one included: the last 24 hours by the hour, or
 * from the midnight that begins the first day. Changes only when a bucket begins, so that the answer can be kept meanwhile.
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

/** Returns the whole hours that hold both ends, as the sums know them; without an end it goes on until now. */
export const wholeHours = (from: number, to: number | undefined): DashboardRange => ({
  start: Math.floor(from / hourSeconds) * hourSeconds,
  end: to === undefined ? undefined : Math.floor(to / hourSeconds) * hourSeconds + hourSeconds - 1,
})

/** Returns what of a bucket lies within a range, its last second included, for the rows behind its bar. */
export function bucketWithin(start: number, step: Step, range: DashboardRange): { from: number; to: number } {
  const { from, to } = bucketOf(start, step)
  return { from: Math.max(from, range.start), to: Math.min(to, range.end ?? to) }
}

/** Returns the first and last second of a bucket, for the rows behind it. */
function bucketOf(start: number, step: Step): { readonly from: number; readonly to: number } {
  if (step === 'hour') return { from: start, to: start + hourSeconds - 1 }
  const end = new Date(start * 1000)
  end.setDate(end.getDate() + (step === 'week' ? 7 : 1))
  return { from: start, to: end.getTime() / 1000 - 1 }
}
