import { daySeconds, hourSeconds, minuteSeconds, type windowRoutes } from '@tollgate/contract'

import {
  dayFormatter,
  dayLater,
  mondayOf,
  monthAfter,
  timeMonthsLater,
  startOfDay,
} from '../../../platform/time/calendar'

/** When a window begins anew. */
export interface Schedule {
  /** Not `call`: a cap has no account. */
  readonly span: Exclude<windowRoutes.WindowSpan, 'call'>
  /** The length of the span `seconds`. */
  readonly seconds: number
  /** Unix seconds, of the spans `range` and `always`. */
  readonly startsAt: number
  readonly endsAt: number
  /** It begins with the first call. */
  readonly isSliding: boolean
  readonly timeZone: string
}

/** From `startsAt` to before `endsAt`, in Unix seconds. */
export interface Span {
  readonly startsAt: number
  readonly endsAt: number
}

/** The end of a period that never ends. */
export const endless = 1e11

type PeriodOf = (schedule: Schedule, now: number) => Span | null

/** Lengths without a calendar follow one another from 1970 on. */
const byLength =
  (lengthOf: (schedule: Schedule) => number): PeriodOf =>
  (schedule, now) => {
    const length = lengthOf(schedule)
    const startsAt = schedule.isSliding ? now : now - (now % length)
    return { startsAt, endsAt: startsAt + length }
  }

const byCalendar =
  (span: Calendar): PeriodOf =>
  ({ isSliding, timeZone }, now) =>
    isSliding ? { startsAt: now, endsAt: sameTimeLater(span, now, timeZone) } : calendarSpan(span, now, timeZone)

const periods: Readonly<Record<Schedule['span'], PeriodOf>> = {
  minute: byLength(() => minuteSeconds),
  five_hours: byLength(() => 5 * hourSeconds),
  seconds: byLength(({ seconds }) => seconds),
  day: byCalendar('day'),
  week: byCalendar('week'),
  month: byCalendar('month'),
  range: ({ startsAt, endsAt }, now) => (now < startsAt || now >= endsAt ? null : { startsAt, endsAt }),
  always: ({ startsAt }) => ({ startsAt, endsAt: endless }),
}

/** Returns the period at a time; null where the window is not in force. One that slides begins then. */
export const periodAt: PeriodOf = (schedule, now) => periods[schedule.span](schedule, now)

type Calendar = 'day' | 'week' | 'month'

const firstDayOf: Readonly<Record<Calendar, (day: string) => string>> = {
  day: (day) => day,
  week: mondayOf,
  month: (day) => `${day.slice(0, 7)}-01`,
}

const dayAfterSpan: Readonly<Record<Calendar, (firstDay: string) => string>> = {
  day: (day) => dayLater(day, 1),
  week: (day) => dayLater(day, 7),
  month: (day) => `${monthAfter(day.slice(0, 7))}-01`,
}

function calendarSpan(span: Calendar, now: number, timeZone: string): Span {
  const first = firstDayOf[span](dayFormatter(timeZone)(now))
  const next = dayAfterSpan[span](first)
  const endsAt = startOfDay(next, timeZone)
  // Where clocks are set back over midnight the local day ends twice: the second time it is the next one.
  if (now >= endsAt) return { startsAt: endsAt, endsAt: startOfDay(dayAfterSpan[span](next), timeZone) }
  return { startsAt: startOfDay(first, timeZone), endsAt }
}

/** A day and a week later by the clock's seconds, a month later at the same time of the day. */
const sameTimeLater = (span: Calendar, now: number, timeZone: string): number =>
  span === 'month' ? timeMonthsLater(now, 1, timeZone) : now + (span === 'day' ? 1 : 7) * daySeconds
