import { IconAdjustments } from '@tabler/icons-react'
import { isOptionKey, mayReadOption, settingsReaders } from '@tollgate/contract'

import { keysOf, pagesFor } from '../../../features/settings/settings-pages'
import { allOptionTexts } from '../../../features/settings/settings-search'
import { optionTexts } from '../../../features/settings/use-option-text'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import type { Command } from './command'
import { matching } from './matching'

/** Finds settings pages and single options by name, key and help, for readers of the settings. */
export function useSettingCommands(query: string): readonly Command[] {
  const { may, grants } = useViewer()
  const mayRead = may(settingsReaders)
  // The texts of options are loaded only for those who may change them.
  const { t } = useTranslation('shell', ...(mayRead ? (['settings', ...allOptionTexts] as const) : []))
  if (!mayRead || query.trim() === '') return []
  const shown = pagesFor(grants)
  const pages = shown.map(({ name, icon }): Command => ({
    id: `settings-${name}`,
    kind: 'setting',
    label: t(`settings:page.${name}`),
    hint: t('page.settings'),
    icon,
    does: { to: '/admin/settings', search: { page: name } },
  }))
  const options = shown.flatMap(({ name, sections }) =>
    sections
      .flatMap(keysOf)
      .filter((key) => mayReadOption(grants, key))
      .map((key): Command => ({
        id: `option-${key}`,
        kind: 'setting',
        label: optionTexts.label(key),
        hint: key,
        icon: IconAdjustments,
        does: { to: '/admin/settings', search: { page: name, keyword: key } },
      })),
  )
  const helpOf = ({ hint = '' }: Command) => (isOptionKey(hint) ? (optionTexts.help(hint) ?? '') : '')
  return matching([...pages, ...options], query, helpOf)
}
