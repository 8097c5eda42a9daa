import { dayMs } from '@tollgate/contract'

import type { Context } from '../context'

/** Days and months in the local time of a zone; an IANA name such as `Asia/Shanghai`. */

/** Returns the formatter of a zone, which is expensive to create. */
function formatterOf(timeZone: string): (ms: number) => string {
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

/** Returns today in the site's time zone, as `YYYY-MM-DD`. */
export function siteDay({ catalog, clock }: Pick<Context, 'catalog' | 'clock'>): string {
  return formatterOf(catalog.current.options.SiteTimeZone)(clock.now()).slice(0, 10)
}

/** Returns the hour of the day in the site's time zone, from 0 to 23. */
export function siteHour({ catalog, clock }: Pick<Context, 'catalog' | 'clock'>): number {
  const { SiteTimeZone: timeZone } = catalog.current.options
  return Number(new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(clock.now()))
}
