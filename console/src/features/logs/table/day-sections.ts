import { useNow } from '../../../lib/text/use-now'
import { useFormat } from '../../../lib/text/use-format'
import type { Language } from '../../../lib/text/language'
import type { LogRow } from '../log-row'

type Timed = Pick<LogRow, 'created_at'>

/** Midnight may pass while the page is open. */
const refreshMs = 60_000

/** Groups rows by day; undefined while all of them are from today. */
export function useDaySections(rows: readonly Timed[]): ((row: Timed) => string) | undefined {
  const { language } = useFormat()
  const now = useNow(refreshMs) / 1000
  if (rows.every(({ created_at: at }) => daysBefore(at, now) === 0)) return undefined
  return ({ created_at: at }) => dayName(at, now, language)
}

/** Returns Today, Yesterday, or Friday, November 20, with the year if it is another one. */
export function dayName(at: number, now: number, language: Language): string {
  const days = daysBefore(at, now)
  if (days === 0 || days === 1) {
    const name = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-days, 'day')
    return name.charAt(0).toUpperCase() + name.slice(1)
  }
  const date = new Date(at * 1000)
  const isThisYear = date.getFullYear() === new Date(now * 1000).getFullYear()
  return date.toLocaleDateString(language, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** Returns the number of midnights between two moments; days may have 23 or 25 hours. */
const daysBefore = (at: number, now: number): number => Math.round((midnight(now) - midnight(at)) / 86_400_000)

const midnight = (unixSeconds: number): number => new Date(unixSeconds * 1000).setHours(0, 0, 0, 0)
