import { Modal, Progress, ScrollArea, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorText } from '../../lib/error-text'
import type { BulkJob } from './use-bulk'

interface BulkDialogProps {
  readonly job: BulkJob
  readonly onClose: () => void
}

/** How far a job over many tokens is, then what failed of it and why. */
export function BulkDialog({ job, onClose }: BulkDialogProps) {
  const { t } = useTranslation(['tokens', 'common'])
  const { kind, isRunning, progress } = job
  const { total, results, failures, left } = progress
  const done = results.length + failures.length
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`bulk.title.${kind}`)}
      closeOnClickOutside={!isRunning}
      closeOnEscape={!isRunning}
      withCloseButton={!isRunning}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Stack gap="sm">
        <Progress value={(done / Math.max(total, 1)) * 100} aria-label={t('progress', { done, total })} />
        <Text size="sm" className="figures" aria-live="polite">
          {isRunning
            ? t('progress', { done, total })
            : t('bulk.result', { done: results.length, failed: failures.length, left: left.length })}
        </Text>
        {failures.length > 0 && (
          <ScrollArea.Autosize mah={300}>
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
