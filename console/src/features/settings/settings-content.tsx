import { Alert, Paper, Stack, Title } from '@mantine/core'
import type { ComponentType } from 'react'
import { IconSearchOff } from '@tabler/icons-react'
import type { OptionKey, OptionSection } from '@tollgate/contract'

import { StateMessage } from '../../components/page/state-message'
import { useTranslation } from '../../lib/text/i18n'
import { keysOf, sectionExtras, type SettingsPageEntry } from './settings-pages'
import { useOptionText } from './use-option-text'
import type { Settings } from './use-settings'
import { ErrorText } from '../../lib/api/error-text'
import { OptionRow } from './option-row'
import classes from './settings.module.css'

interface FoundOptionsProps {
  readonly pages: readonly SettingsPageEntry[]
  readonly keyword: string
  readonly settings: Settings
  readonly onHistory: (key: OptionKey) => void
}

/** Options of all pages whose name, help or key contains the keyword. */
export function FoundOptions({ pages, keyword, settings, onHistory }: FoundOptionsProps) {
  const { t } = useTranslation('settings')
  const { label, help } = useOptionText()
  const query = keyword.trim().toLowerCase()
  const isFound = (key: OptionKey) =>
    settings.isShown(key) && [key, label(key), help(key) ?? ''].some((text) => text.toLowerCase().includes(query))
  const found = pages.flatMap((page) =>
    page.sections.map((section) => ({ section, keys: keysOf(section).filter(isFound) })),
  )
  const sections = found.filter(({ keys }) => keys.length > 0)
  if (sections.length === 0) return <StateMessage icon={IconSearchOff} title={t('notFound')} hint={t('notFoundHint')} />
  return (
    <Stack gap="lg">
      {sections.map(({ section, keys }) => (
        <SectionPanel key={section} section={section} keys={keys} settings={settings} onHistory={onHistory} />
      ))}
    </Stack>
  )
}

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
function SectionPanel({ section, keys, settings, onHistory, Extra }: SectionPanelProps) {
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
