import { dayMs } from '@tollgate/contract'
import { startOfDay } from '../../accounts/site-calendar'
import { AppError } from '../../platform/app-error'

/** Two ISO dates or times. */
interface Range {
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/
const isoTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?$/i

/**
 * Returns the time, in Unix seconds, that a range encloses, its last day or second included; null unless both ends are given. A day is in
 * the site's time zone, a time without an offset in UTC.
 * @throws AppError `message.date`.
 */
export function sentBetween(
  { start_date: start, end_date: end }: Range,
  timeZone: string,
): { readonly from: number; readonly before: number } | null {
  if (!start || !end) return null
  return { from: secondsOf(start, timeZone), before: secondsAfter(end, timeZone) }
}

const secondsOf = (text: string, timeZone: string): number =>
  isoDay.test(text) ? startOfDay(checkedDay(text), timeZone) : Math.floor(timeIn(text) / 1000)

function secondsAfter(text: string, timeZone: string): number {
  if (!isoDay.test(text)) return Math.floor(timeIn(text) / 1000) + 1
  const next = new Date(Date.parse(checkedDay(text)) + dayMs).toISOString().slice(0, 10)
  return startOfDay(next, timeZone)
}

function checkedDay(text: string): string {
  // JavaScript takes the 30th of February for the 2nd of March.
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) throw notADate(text)
  return text
}

function timeIn(text: string): number {
  const [, date, time, offset] = isoTime.exec(text) ?? []
  if (date === undefined) throw notADate(text)
  const ms = Date.parse(`${checkedDay(date)}T${time}${offset ?? 'Z'}`)
  if (Number.isNaN(ms)) throw notADate(text)
  return ms
}

const notADate = (text: string) => new AppError('message.date', { params: { date: text } })
