import { dayMs } from '@tollgate/contract'

/** Days and months in the local time of a zone; an IANA name such as `Asia/Shanghai`. */

/** Returns the formatter of a zone, which is expensive to create. */
export function formatterOf(timeZone: string): (ms: number) => string {
  // Canadian English writes dates as YYYY-MM-DD.
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  return (ms) => format.format(ms).replace(', ', 'T')
}

/** Returns a function that returns the day, `YYYY-MM-DD`, of a time in Unix seconds. */
export function dayFormatter(timeZone: string): (seconds: number) => string {
  const format = formatterOf(timeZone)
  return (seconds) => format(seconds * 1000).slice(0, 10)
}

/** Returns the Unix seconds at which a day, `YYYY-MM-DD`, begins: its first moment where clocks skip midnight. */
export function startOfDay(day: string, timeZone: string): number {
  const format = formatterOf(timeZone)
  // Zones are at most fourteen hours ahead of UTC and twelve behind it.
  let before = Date.parse(`${day}T00:00:00Z`) - dayMs
  let after = before + 2 * dayMs
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000
    if (format(middle).slice(0, 10) < day) before = middle
    else after = middle
  }
  return after / 1000
}

/** Returns the month after one, both as `YYYY-MM`. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** Returns the day some days after one, or before it, both as `YYYY-MM-DD`. */
export const dayLater = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** Returns the Monday of the week of a day. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return dayLater(day, -((weekday + 6) % 7))
}

/** Returns the same day some months later, or the last one of that month. */
function monthsLater(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7)
  const last = dayLater(`${monthAfter(first)}-01`, -1)
  const same = `${first}-${day.slice(8)}`
  return same < last ? same : last
}

/** Returns the same time of the day some months later, in Unix seconds. */
export function timeMonthsLater(seconds: number, months: number, timeZone: string): number {
  const day = dayFormatter(timeZone)(seconds)
  return startOfDay(monthsLater(day, months), timeZone) + (seconds - startOfDay(day, timeZone))
}
