import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/zh-cn'
import { daySeconds } from '@tollgate/contract'
import { Button, Center, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useState, type SubmitEvent } from 'react'

import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { FocusBack } from '../focus-back'
import { useCalendar } from '../use-calendar'
import type { TimeRange } from '../../lib/text/time-range'

interface RangeDialogProps {
  /** The current range; by default today until now. */
  readonly range: TimeRange | undefined
  readonly maxDays: number | undefined
  readonly onChoose: (range: TimeRange) => void
  readonly onClose: () => void
}

const formatField = (at: number | undefined) => (at === undefined ? '' : formatTime(at).replace(/:00$/, ''))
const dayOf = (at: number | undefined) => (at === undefined ? null : formatTime(at).slice(0, 10))
const today = () => new Date().setHours(0, 0, 0, 0) / 1000

/** Any range to the second, typed or picked in the calendar. Times are in the browser's time zone. */
export function RangeDialog({ range, maxDays, onChoose, onClose }: RangeDialogProps) {
  const { t } = useTranslation()
  const calendar = useCalendar()
  const [start, setStart] = useState(() => formatField(range ? range.from : today()))
  const [end, setEnd] = useState(() => formatField(range?.to))
  const from = readTime(start)
  const to = readTime(end, { isEnd: true })
  const startFault = from === undefined && (start !== '' || maxDays !== undefined)
  const endFault = endFaultOf(from, end, to, maxDays)
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
              placeholder={maxDays === undefined ? t('range.ever') : undefined}
              value={start}
              onChange={({ currentTarget }) => setStart(currentTarget.value)}
              onBlur={() => from !== undefined && setStart(formatField(from))}
              error={startFault && t('range.unreadable')}
              autoComplete="off"
              data-autofocus
            />
            <TextInput
              label={t('range.to')}
              placeholder={t('range.now')}
              value={end}
              onChange={({ currentTarget }) => setEnd(currentTarget.value)}
              onBlur={() => to !== undefined && setEnd(formatField(to))}
              error={endFault && t(`range.${endFault}`, { count: maxDays ?? 0 })}
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

function endFaultOf(from: number | undefined, typed: string, to: number | undefined, maxDays: number | undefined) {
  if (typed !== '' && to === undefined) return 'unreadable'
  if (from === undefined) return undefined
  const end = to ?? Date.now() / 1000
  if (end < from) return 'backwards'
  if (maxDays !== undefined && end - from > maxDays * daySeconds) return 'tooLong'
  return undefined
}

/** Returns "Europe/Berlin, UTC+1". */
function timeZone(): string {
  const { timeZone: name } = new Intl.DateTimeFormat().resolvedOptions()
  const hours = -new Date().getTimezoneOffset() / 60
  const offset = `UTC${hours < 0 ? '−' : '+'}${Math.abs(hours)}`
  return name === 'UTC' ? name : `${name}, ${offset}`
}

const shape = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/**
 * Parses a typed time, "2026-11-21", "2026-11-21 7:02" or with seconds, in the browser's time zone. A date alone is its first second, or
 * with `isEnd` its last. Returns unix seconds, or undefined for an invalid text.
 */
export function readTime(text: string, { isEnd = false } = {}): number | undefined {
  const match = shape.exec(text.trim())
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, ...clock] = match.slice(1).map((part) => (part ? Number(part) : undefined))
  const isDay = clock[0] === undefined
  const [hours = isEnd ? 23 : 0, minutes = isEnd ? 59 : 0, seconds = isEnd && isDay ? 59 : 0] = clock
  const date = new Date(year, month - 1, day, hours, minutes, seconds)
  // February 31st, or 25:00, would roll over.
  const isReal = date.getMonth() === month - 1 && date.getDate() === day && hours < 24 && minutes < 60 && seconds < 60
  return isReal ? date.getTime() / 1000 : undefined
}
