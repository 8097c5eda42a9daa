import type { Context } from '../context'
import { formatterOf } from '../platform/time/calendar'

/** Returns today in the site's time zone, as `YYYY-MM-DD`. */
export function siteDay({ catalog, clock }: Pick<Context, 'catalog' | 'clock'>): string {
  return formatterOf(catalog.current.options.SiteTimeZone)(clock.now()).slice(0, 10)
}

/** Returns the hour of the day in the site's time zone, from 0 to 23. */
export function siteHour({ catalog, clock }: Pick<Context, 'catalog' | 'clock'>): number {
  const { SiteTimeZone: timeZone } = catalog.current.options
  return Number(new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(clock.now()))
}
