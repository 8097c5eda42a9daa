import { DateTimePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useTranslation } from 'react-i18next'

import { useFormat } from '../../lib/use-format'
import { QuickPicks } from '../../components/quick-picks'
import { pickerTime } from './token-values'
import type { TokenForm } from './use-token-form'

const calendars = { zh: 'zh-cn', en: 'en' } as const
const monthFormats = { zh: 'YYYY年M月', en: 'MMMM YYYY' } as const

const picks = [
  ['hour', 3_600],
  ['day', 86_400],
  ['month', 30 * 86_400],
] as const

/** When the token stops working. */
export function ExpiryField({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  const { ago, language } = useFormat()
  const { expiry } = form.values
  const set = (value: string | null) => form.setFieldValue('expiry', value)
  const inSeconds = (seconds: number) => set(pickerTime(Math.floor(Date.now() / 1000) + seconds))
  return (
    <div>
      <DateTimePicker
        size="sm"
        label={t('field.expiry')}
        placeholder={t('expiry.never')}
        description={expiry === null || !dayjs(expiry).isValid() ? undefined : ago(dayjs(expiry).unix())}
        valueFormat="YYYY-MM-DD HH:mm:ss"
        withSeconds
        clearable
        clearButtonProps={{ 'aria-label': t('expiry.never') }}
        locale={calendars[language]}
        monthLabelFormat={monthFormats[language]}
        hideOutsideDates
        weekendDays={[]}
        popoverProps={{ withRoles: false }}
        submitButtonProps={{ 'aria-label': t('expiry.take') }}
        timePickerProps={{
          hoursInputLabel: t('expiry.hours'),
          minutesInputLabel: t('expiry.minutes'),
          secondsInputLabel: t('expiry.seconds'),
        }}
        ariaLabels={{
          previousMonth: t('expiry.previous'),
          nextMonth: t('expiry.next'),
          previousYear: t('expiry.previous'),
          nextYear: t('expiry.next'),
          previousDecade: t('expiry.previous'),
          nextDecade: t('expiry.next'),
        }}
        {...form.getInputProps('expiry')}
      />
      <QuickPicks
        label={t('field.expiry')}
        picks={[
          { text: t('expiry.never'), onPick: () => set(null) },
          ...picks.map(([unit, seconds]) => ({ text: t(`expiry.${unit}`), onPick: () => inSeconds(seconds) })),
        ]}
      />
    </div>
  )
}
