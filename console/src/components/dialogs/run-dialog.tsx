import { Modal, Progress as ProgressBar, ScrollArea, Stack, Text } from '@mantine/core'

import { ErrorText } from '../../lib/api/error-text'
import { useTranslation } from '../../lib/text/i18n'
import type { Progress } from '../../lib/api/run-each'
import { FocusBack } from '../focus-back'

interface RunDialogProps {
  readonly title: string
  readonly progress: Progress<{ readonly id: number; readonly name: string }, unknown>
  readonly isRunning: boolean
  readonly onClose: () => void
}

/** Progress of a bulk operation, then its failures and their reasons. */
export function RunDialog({ title, progress: { total, results, failures, left }, isRunning, onClose }: RunDialogProps) {
  const { t } = useTranslation()
  const done = results.length + failures.length
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={!isRunning}
      closeOnEscape={!isRunning}
      withCloseButton={!isRunning}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <FocusBack />
      <Stack gap="sm">
        <ProgressBar value={(done / Math.max(total, 1)) * 100} aria-label={t('run.progress', { done, total })} />
        <Text size="sm" className="figures" aria-live="polite">
          {isRunning
            ? t('run.progress', { done, total })
            : t('run.result', { done: results.length, failed: failures.length, left: left.length })}
        </Text>
        {failures.length > 0 && (
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
        )}
      </Stack>
    </Modal>
  )
}
