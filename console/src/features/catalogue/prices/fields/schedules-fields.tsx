import { Group, NumberInput, TextInput } from '@mantine/core'

import { EntryList } from '../entry-list'
import { ToggleButtons } from '../toggle-buttons'
import { useTranslation } from '../../../../lib/text/i18n'
import { newSchedule } from '../entry-form'
import type { EntryForm } from './class-fields'

const days = ['1', '2', '3', '4', '5', '6', '7'] as const

/** Hours with a price multiplier. */
export function SchedulesFields({ form }: { readonly form: EntryForm }) {
  const { t, language } = useTranslation('prices')
  const { schedules } = form.values
  // 2024-01-01 was a Monday.
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  return (
    <EntryList
      hint={t('drawer.schedulesHint')}
      addLabel={t('drawer.addSchedule')}
      removeLabel={t('drawer.removeSchedule')}
      count={schedules.length}
      onAdd={() => form.insertListItem('schedules', newSchedule())}
      onRemove={(index) => form.removeListItem('schedules', index)}
      head={(index) => {
        const field = (name: string) => form.getInputProps(`schedules.${index}.${name}`)
        return (
          <Group gap="sm" flex={1} align="flex-start">
            <TextInput size="xs" w={150} label={t('drawer.name')} {...field('name')} />
            <TextInput size="xs" w={150} label={t('drawer.zone')} {...field('zone')} />
            <TextInput size="xs" w={72} label={t('drawer.from')} {...field('from')} />
            <TextInput size="xs" w={72} label={t('drawer.to')} {...field('to')} />
            <NumberInput
              size="xs"
              w={90}
              label={t('drawer.factor')}
              min={0}
              step={0.1}
              decimalScale={4}
              {...field('factor')}
            />
          </Group>
        )
      }}
    >
      {(index) => (
        <ToggleButtons
          label={t('drawer.days')}
          choices={days.map((day) => ({ value: day, label: weekday.format(Date.UTC(2024, 0, Number(day))) }))}
          chosen={days.filter((day) => schedules[index]?.days.includes(day))}
          onChange={(chosen) => form.setFieldValue(`schedules.${index}.days`, chosen)}
        />
      )}
    </EntryList>
  )
}
