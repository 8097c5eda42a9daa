import { Alert, Paper, Stack, Title } from '@mantine/core'
import type { OptionKey, OptionSection } from '@tollgate/contract'
import type { ComponentType } from 'react'

import { ErrorText } from '../../lib/api/error-text'
import { useTranslation } from '../../lib/text/i18n'
import { OptionRow } from './option-row'
import classes from './settings.module.css'
import type { Settings } from './use-settings'

interface SectionPanelProps {
  readonly section: OptionSection
  readonly keys: readonly OptionKey[]
  readonly settings: Settings
  readonly onHistory: (key: OptionKey) => void
  /** Additional content of the section. */
  readonly Extra?: ComponentType<{ readonly settings: Settings }>
}

/** A section of options with the server's refusal above. */
export function SectionPanel({ section, keys, settings, onHistory, Extra }: SectionPanelProps) {
  const { t } = useTranslation('settings')
  const refusal = settings.sectionRefusal(section)
  return (
    <section>
      <Title order={2} fz="md" mb="xs">
        {t(`section.${section}`)}
      </Title>
      {refusal && (
        <Alert color="red" mb="xs" role="alert">
          <ErrorText error={refusal} />
        </Alert>
      )}
      <Stack gap="lg">
        <Paper className={classes.panel}>
          {keys.map((key) => (
            <OptionRow key={key} optionKey={key} settings={settings} onHistory={onHistory} />
          ))}
        </Paper>
        {Extra && <Extra settings={settings} />}
      </Stack>
    </section>
  )
}
