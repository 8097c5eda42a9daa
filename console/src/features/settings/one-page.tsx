import { Stack } from '@mantine/core'

import { SectionPanel } from './section-panel'
import { keysOf, sectionExtras, type SettingsPageEntry } from './settings-pages'
import type { Settings } from './use-settings'

interface OnePageProps {
  readonly page: SettingsPageEntry
  readonly settings: Settings
}

/** The sections of a page that the reader sees anything of. */
export function OnePage({ page, settings }: OnePageProps) {
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
            Extra={sectionExtras[section]}
          />
        ))}
    </Stack>
  )
}
