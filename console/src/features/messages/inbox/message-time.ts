import { daySeconds } from '@tollgate/contract'
import { formatTime } from '../../../lib/text/format'
import type { Language } from '../../../lib/text/language'

const clockAt = { from: 11, to: 16 } as const
const locales = { zh: 'zh-CN', en: 'en-US' } as const satisfies Record<Language, string>

/** Returns a short time of arrival: the clock time within a day, the weekday within a week, or else the date. Pure. */
export function messageTime(unixSeconds: number, nowSeconds: number, language: Language): string {
  const age = nowSeconds - unixSeconds
  const written = formatTime(unixSeconds)
  if (age < daySeconds) return written.slice(clockAt.from, clockAt.to)
  if (age >= 7 * daySeconds) return written.slice(0, clockAt.from - 1)
  return new Intl.DateTimeFormat(locales[language], { weekday: 'long' }).format(unixSeconds * 1000)
}
