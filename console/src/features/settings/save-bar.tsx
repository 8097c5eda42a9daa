import { Button, Group, Text } from '@mantine/core'

import { useTranslation } from '../../lib/text/i18n'
import classes from './settings.module.css'

interface SaveBarProps {
  readonly count: number
  readonly isSaving: boolean
  readonly onDiscard: () => void
}

/** The number of unsaved changes, saving and discarding. Submits the form around it. */
export function SaveBar({ count, isSaving, onDiscard }: SaveBarProps) {
  const { t } = useTranslation('settings')
  return (
    <div className={classes.bar} data-changed={count > 0 || undefined}>
      <Text size="sm" fw={count > 0 ? 600 : undefined} c={count > 0 ? undefined : 'dimmed'} role="status">
        {count > 0 ? t('changes', { count }) : t('noChanges')}
      </Text>
      <Group gap={8}>
        {count > 0 && (
          <Button variant="default" size="sm" onClick={onDiscard} disabled={isSaving}>
            {t('discard')}
          </Button>
        )}
        <Button type="submit" size="sm" variant={count > 0 ? 'filled' : 'default'} loading={isSaving}>
          {t('save')}
        </Button>
      </Group>
    </div>
  )
}
