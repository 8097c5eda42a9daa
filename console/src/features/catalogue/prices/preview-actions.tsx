import { Button, Group } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'

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
  return (
    <Group justify="flex-end" gap={8}>
      <Button variant="default" disabled={save.isPending} onClick={onCancel}>
        {t('common:cancel')}
      </Button>
      {found !== null && found > 0 ? (
        // Focused when it takes the place of the preview's button, which lost the focus while it was disabled.
        <Button key="save" loading={save.isPending} onClick={save.run} autoFocus>
          {t('bulk.save', { count: found })}
        </Button>
      ) : (
        <Button disabled={!isComplete} loading={preview.isPending} onClick={preview.run}>
          {t('bulk.preview')}
        </Button>
      )}
    </Group>
  )
}
