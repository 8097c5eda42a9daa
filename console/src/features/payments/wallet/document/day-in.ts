import type { Language } from '../../../../lib/text/language'

/** Returns the day of a time in a time zone: "November 29, 2026". */
export const dayIn = (unixSeconds: number, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-US', { dateStyle: 'long', timeZone }).format(
    new Date(unixSeconds * 1000),
  )
