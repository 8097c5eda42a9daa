import { ActionIcon, Button, Group, NumberInput, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'

import { ToggleButtons } from '../../../components/toggle-buttons'
import { useTranslation } from '../../../lib/i18n'
import { newSchedule } from '../entry-form'
import type { EntryForm } from './class-fields'

const days = ['1', '2', '3', '4', '5', '6', '7'] as const

/** Hours in which everything costs a multiple. */
export function SchedulesFields({ form }: { readonly form: EntryForm }) {
  const { t, language } = useTranslation('prices')
  // 2024-01-01 was a Monday.
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('drawer.schedulesHint')}
      </Text>
      {form.values.schedules.map((schedule, place) => {
        const path = `schedules.${place}`
        return (
          <Paper key={place} withBorder p="sm">
            <Group align="flex-start" wrap="nowrap" gap="sm" mb="xs">
              <Group gap="sm" flex={1} align="flex-start">
                <TextInput size="xs" w={150} label={t('drawer.name')} {...form.getInputProps(`${path}.name`)} />
                <TextInput size="xs" w={150} label={t('drawer.zone')} {...form.getInputProps(`${path}.zone`)} />
                <TextInput size="xs" w={72} label={t('drawer.from')} {...form.getInputProps(`${path}.from`)} />
                <TextInput size="xs" w={72} label={t('drawer.to')} {...form.getInputProps(`${path}.to`)} />
                <NumberInput
                  size="xs"
                  w={90}
                  label={t('drawer.factor')}
                  min={0}
                  step={0.1}
                  decimalScale={4}
                  {...form.getInputProps(`${path}.factor`)}
                />
              </Group>
              <ActionIcon
                aria-label={t('drawer.removeSchedule')}
                onClick={() => form.removeListItem('schedules', place)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
            <ToggleButtons
              label={t('drawer.days')}
              choices={days.map((day) => ({ value: day, label: weekday.format(Date.UTC(2024, 0, Number(day))) }))}
              chosen={days.filter((day) => schedule.days.includes(day))}
              onChange={(chosen) => form.setFieldValue(`${path}.days`, chosen)}
            />
          </Paper>
        )
      })}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => form.insertListItem('schedules', newSchedule())}
        >
          {t('drawer.addSchedule')}
        </Button>
      </div>
    </Stack>
  )
}
