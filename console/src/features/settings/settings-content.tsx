import { Alert, Paper, Stack, Title } from '@mantine/core'
import type { ComponentType } from 'react'
import type { OptionKey, OptionSection } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { keysOf, sectionExtras, type SettingsPageEntry } from './settings-pages'
import type { Settings } from './use-settings'
import { ErrorText } from '../../lib/api/error-text'
import { OptionRow } from './option-row'
import classes from './settings.module.css'

interface OnePageProps {
  readonly page: SettingsPageEntry
  readonly settings: Settings
  readonly onHistory: (key: OptionKey) => void
}

/** The sections of a page that the reader may see. */
export function OnePage({ page, settings, onHistory }: OnePageProps) {
  const sections = page.sections.map((section) => ({ section, keys: keysOf(section).filter(settings.isShown) }))
  return (
    <Stack gap="lg" key={page.name}>
      {sections
        .filter(({ keys }) => keys.length > 0)
        .map(({ section, keys }) => (
          <SectionPanel
            key={section}
            section={section}
            keys={keys}
            settings={settings}
            onHistory={onHistory}
            Extra={sectionExtras[section]}
          />
        ))}
    </Stack>
  )
}

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
