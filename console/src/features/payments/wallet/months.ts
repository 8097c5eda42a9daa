import { currentLanguage } from '../../../lib/text/i18n'

/** Maximum length of a list of months. */
const maxMonths = 120

/** Returns the months from the current one back to the first, each as `YYYY-MM`, always including the displayed one. */
export function monthsBetween(first: string, shown: string, now = new Date()): readonly string[] {
  const present = now.toISOString().slice(0, 7)
  const latest = present > shown ? present : shown
  const earliest = first < shown ? first : shown
  const months: string[] = []
  for (let month = latest; month >= earliest && months.length < maxMonths; month = monthBefore(month))
    months.push(month)
  return months
}

function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`
}

/** Returns "November 2026". */
export const monthName = (month: string) =>
  new Intl.DateTimeFormat(currentLanguage(), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
