import { Button, Group } from '@mantine/core'

import { useTranslation } from '../../lib/i18n'
import { useFormat } from '../../lib/use-format'

interface Step {
  readonly isPending: boolean
  readonly run: () => void
}

interface PreviewActionsProps {
  /** There is something to preview. */
  readonly isComplete: boolean
  /** Number of changes in the preview; null: no preview, or it cannot be saved. */
  readonly found: number | null
  readonly preview: Step
  readonly save: Step
  readonly onCancel: () => void
}

/** Footer of a dialog whose changes are previewed before they are saved. */
export function PreviewActions({ isComplete, found, preview, save, onCancel }: PreviewActionsProps) {
  const { t } = useTranslation('prices')
  const { number } = useFormat()
  return (
    <Group justify="flex-end" gap={8}>
      <Button variant="default" disabled={save.isPending} onClick={onCancel}>
        {t('common:cancel')}
      </Button>
      {found !== null && found > 0 ? (
        <Button loading={save.isPending} onClick={save.run}>
          {t('bulk.save', { count: number(found) })}
        </Button>
      ) : (
        <Button disabled={!isComplete} loading={preview.isPending} onClick={preview.run}>
          {t('bulk.preview')}
        </Button>
      )}
    </Group>
  )
}
