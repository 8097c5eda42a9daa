import type { DatePickerProps } from '@mantine/dates'

import { useTranslation } from '../lib/text/i18n'
import { useFormat } from '../lib/text/use-format'

const locales = { zh: 'zh-cn', en: 'en' } as const
const monthFormats = { zh: 'YYYY年M月', en: 'MMMM YYYY' } as const

type Calendar = Pick<DatePickerProps, 'locale' | 'monthLabelFormat' | 'hideOutsideDates' | 'weekendDays' | 'ariaLabels'>

/** Common props of calendars in the reader's language. */
export function useCalendar(): Calendar {
  const { t } = useTranslation()
  const { language } = useFormat()
  const [previous, next] = [t('calendar.previous'), t('calendar.next')]
  return {
    locale: locales[language],
    monthLabelFormat: monthFormats[language],
    hideOutsideDates: true,
    weekendDays: [],
    ariaLabels: {
      previousMonth: previous,
      nextMonth: next,
      previousYear: previous,
      nextYear: next,
      previousDecade: previous,
      nextDecade: next,
    },
  }
}
