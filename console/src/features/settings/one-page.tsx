import { Stack } from '@mantine/core'
import type { OptionKey } from '@tollgate/contract'

import { SectionPanel } from './section-panel'
import { keysOf, sectionExtras, type SettingsPageEntry } from './settings-pages'
import type { Settings } from './use-settings'

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
