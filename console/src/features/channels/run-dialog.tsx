import { Modal, Progress, ScrollArea, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorText } from '../../lib/error-text'
import type { Run } from './use-runs'

interface RunDialogProps {
  readonly run: Run
  readonly onClose: () => void
}

/** How far it is, then what failed and why. */
export function RunDialog({ run: { kind, progress, isRunning }, onClose }: RunDialogProps) {
  const { t } = useTranslation(['channels', 'common'])
  const { total, results, failures } = progress
  const done = results.length + failures.length
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`run.title.${kind}`)}
      closeOnClickOutside={!isRunning}
      closeOnEscape={!isRunning}
      withCloseButton={!isRunning}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Stack gap="sm">
        <Progress value={(done / Math.max(total, 1)) * 100} aria-label={t('run.progress', { done, total })} />
        <Text size="sm" className="figures" aria-live="polite">
          {isRunning
            ? t('run.progress', { done, total })
            : t('run.result', { done: results.length, failed: failures.length })}
        </Text>
        <ScrollArea.Autosize mah={320}>
          <Stack gap="xs">
            {failures.map(({ item, error }) => (
              <div key={item.id}>
                <Text size="sm" fw={500} truncate>
                  {item.name}
                </Text>
                <ErrorText error={error} />
              </div>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Stack>
    </Modal>
  )
}
