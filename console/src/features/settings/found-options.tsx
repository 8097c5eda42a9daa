import { Stack } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import type { OptionKey } from '@tollgate/contract'

import { StateMessage } from '../../components/page/state-message'
import { useTranslation } from '../../lib/text/i18n'
import { SectionPanel } from './settings-content'
import { keysOf, type SettingsPageEntry } from './settings-pages'
import { useOptionText } from './use-option-text'
import type { Settings } from './use-settings'

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
