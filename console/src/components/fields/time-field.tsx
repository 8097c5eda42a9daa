import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import dayjs from 'dayjs'
import { useTranslation } from '../../lib/text/i18n'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/zh-cn'

import { useCalendar } from '../use-calendar'

type TimeFieldProps = Pick<
  DateTimePickerProps,
  'label' | 'description' | 'placeholder' | 'error' | 'value' | 'onChange' | 'onBlur' | 'maxDate' | 'minDate' | 'miw'
>

/** A time to the second in the browser's time zone, as `YYYY-MM-DD HH:mm:ss`; null where there is none. */
export function TimeField(props: TimeFieldProps) {
  const { t } = useTranslation()
  const calendar = useCalendar()
  return (
    <DateTimePicker
      size="sm"
      valueFormat={pickerFormat}
      withSeconds
      clearable
      clearButtonProps={{ 'aria-label': t('calendar.clear') }}
      submitButtonProps={{ 'aria-label': t('calendar.take') }}
      popoverProps={{ withRoles: false }}
      timePickerProps={{
        hoursInputLabel: t('calendar.hours'),
        minutesInputLabel: t('calendar.minutes'),
        secondsInputLabel: t('calendar.seconds'),
      }}
      {...calendar}
      {...props}
    />
  )
}

const pickerFormat = 'YYYY-MM-DD HH:mm:ss'

/** Returns a time as the field has it. */
export const pickerTime = (unixSeconds: number): string => dayjs.unix(unixSeconds).format(pickerFormat)
