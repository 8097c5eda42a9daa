import type { Context } from '../context'

/** Returns today in the site's time zone, as `YYYY-MM-DD`. */
export function siteDay({ catalog, clock }: Pick<Context, 'catalog' | 'clock'>): string {
  const { SiteTimeZone: timeZone } = catalog.current.options
  // Canadian English writes dates this way.
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    clock.now(),
  )
}

/** Returns the hour of the day in the site's time zone, from 0 to 23. */
export function siteHour({ catalog, clock }: Pick<Context, 'catalog' | 'clock'>): number {
  const { SiteTimeZone: timeZone } = catalog.current.options
  return Number(new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(clock.now()))
}
