import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/zh-cn'

import { Button, Group, Modal, Stack } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { FocusBack } from '../../components/focus-back'
import { useFormat } from '../../lib/use-format'
import { startOf } from './log-query'

interface RangeDialogProps {
  /** Unix seconds. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly onChoose: (range: { readonly from: number | undefined; readonly to: number | undefined }) => void
  readonly onClose: () => void
}

const shape = 'YYYY-MM-DD HH:mm:ss'
const written = (unixSeconds: number | undefined) =>
  unixSeconds === undefined ? null : dayjs.unix(unixSeconds).format(shape)
const read = (text: string | null) => (text === null ? undefined : dayjs(text, shape).unix())

/** Any range, to the second. Without an end it goes on until now. */
export function RangeDialog({ from, to, onChoose, onClose }: RangeDialogProps) {
  const { t } = useTranslation('logs')
  const { language } = useFormat()
  const [start, setStart] = useState(written(from ?? startOf('today', Date.now() / 1000)))
  const [end, setEnd] = useState(written(to))
  const isBackwards = start !== null && end !== null && start > end
  const common = { locale: language === 'zh' ? 'zh-cn' : 'en', valueFormat: shape, withSeconds: true, clearable: true }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('range.label')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('range.cancel') }}
    >
      <FocusBack />
      <Stack gap="md">
        <DateTimePicker {...common} label={t('range.from')} value={start} onChange={setStart} />
        <DateTimePicker
          {...common}
          label={t('range.to')}
          placeholder={t('range.now')}
          value={end}
          onChange={setEnd}
          error={isBackwards ? t('range.backwards') : undefined}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onClose}>
            {t('range.cancel')}
          </Button>
          <Button
            size="sm"
            disabled={isBackwards}
            onClick={() => {
              onChoose({ from: read(start), to: read(end) })
              onClose()
            }}
          >
            {t('range.apply')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
