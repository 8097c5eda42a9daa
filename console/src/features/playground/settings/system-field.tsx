import { Button, Group, Textarea } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'

interface SystemFieldProps {
  /** Null: the default. */
  readonly system: string | null
  readonly onChange: (system: string | null) => void
}

/** The system prompt. */
export function SystemField({ system, onChange }: SystemFieldProps) {
  const { t } = useTranslation('playground')
  return (
    <div>
      <Textarea
        label={t('setting.system')}
        placeholder={t('setting.noSystem')}
        autosize
        minRows={3}
        maxRows={12}
        value={system ?? t('system.default')}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {system !== null && (
        <Group justify="flex-end" mt={4}>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onChange(null)}>
            {t('setting.resetSystem')}
          </Button>
        </Group>
      )}
    </div>
  )
}
