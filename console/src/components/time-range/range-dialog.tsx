import { daySeconds } from '@tollgate/contract'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/zh-cn'

import { Button, Center, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useState, type SubmitEvent } from 'react'

import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { readTime } from '../../lib/text/read-time'
import { FocusBack } from '../focus-back'
import { useCalendar } from '../use-calendar'
import type { TimeRange } from './range-text'

interface RangeDialogProps {
  /** The current range; by default today until now. */
  readonly range: TimeRange | undefined
  readonly mostDays: number | undefined
  readonly onChoose: (range: TimeRange) => void
  readonly onClose: () => void
}

const written = (at: number | undefined) => (at === undefined ? '' : formatTime(at).replace(/:00$/, ''))
const dayOf = (at: number | undefined) => (at === undefined ? null : formatTime(at).slice(0, 10))
const today = () => new Date().setHours(0, 0, 0, 0) / 1000

/** Any range to the second, typed or picked in the calendar. Times are in the browser's time zone. */
export function RangeDialog({ range, mostDays, onChoose, onClose }: RangeDialogProps) {
  const { t } = useTranslation()
  const calendar = useCalendar()
  const [start, setStart] = useState(() => written(range ? range.from : today()))
  const [end, setEnd] = useState(() => written(range?.to))
  const from = readTime(start)
  const to = readTime(end, { isEnd: true })
  const startFault = from === undefined && (start !== '' || mostDays !== undefined)
  const endFault = endFaultOf(from, end, to, mostDays)
  const canApply = !startFault && endFault === undefined && (from ?? to) !== undefined
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!canApply) return
    onChoose({ from, to })
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('range.label')}
      size="auto"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <FocusBack />
      <form onSubmit={apply} noValidate>
        <Stack gap="md">
          <Group gap="sm" align="flex-start" grow>
            <TextInput
              label={t('range.from')}
              placeholder={mostDays === undefined ? t('range.ever') : undefined}
              value={start}
              onChange={({ currentTarget }) => setStart(currentTarget.value)}
              onBlur={() => from !== undefined && setStart(written(from))}
              error={startFault && t('range.unreadable')}
              autoComplete="off"
              data-autofocus
            />
            <TextInput
              label={t('range.to')}
              placeholder={t('range.now')}
              value={end}
              onChange={({ currentTarget }) => setEnd(currentTarget.value)}
              onBlur={() => to !== undefined && setEnd(written(to))}
              error={endFault && t(`range.${endFault}`, { count: mostDays ?? 0 })}
              autoComplete="off"
            />
          </Group>
          <Center>
            <DatePicker
              {...calendar}
              type="range"
              allowSingleDateInRange
              maxDate={dayOf(Date.now() / 1000) ?? undefined}
              defaultDate={dayOf(from) ?? undefined}
              value={[dayOf(from), dayOf(to)]}
              onChange={([first, last]) => {
                setStart(first === null ? '' : `${first} 00:00`)
                setEnd(last === null ? '' : `${last} 23:59:59`)
              }}
            />
          </Center>
          <Text size="xs" c="dimmed">
            {t('range.zone', { zone: timeZone() })}
          </Text>
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" size="sm" disabled={!canApply}>
              {t('range.apply')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function endFaultOf(from: number | undefined, typed: string, to: number | undefined, mostDays: number | undefined) {
  if (typed !== '' && to === undefined) return 'unreadable'
  if (from === undefined) return undefined
  const end = to ?? Date.now() / 1000
  if (end < from) return 'backwards'
  if (mostDays !== undefined && end - from > mostDays * daySeconds) return 'tooLong'
  return undefined
}

/** Returns "Europe/Berlin, UTC+1". */
function timeZone(): string {
  const { timeZone: name } = new Intl.DateTimeFormat().resolvedOptions()
  const hours = -new Date().getTimezoneOffset() / 60
  const offset = `UTC${hours < 0 ? '−' : '+'}${Math.abs(hours)}`
  return name === 'UTC' ? name : `${name}, ${offset}`
}
