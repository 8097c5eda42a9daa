import { IconAdjustments } from '@tabler/icons-react'
import { isOptionKey, optionOf, optionWriter, type OptionKey } from '@tollgate/contract'

import { keysOf, settingsPages } from '../../../features/settings/settings-pages'
import { optionTexts } from '../../../features/settings/use-option-text'
import { useTranslation } from '../../../lib/i18n'
import { useViewer } from '../../../lib/session'
import type { Command } from './command'
import { matching } from './matching'

/** Pages of the system settings and single options, found by name, key and help. For administrators. */
export function useSettingCommands(query: string): readonly Command[] {
  const { isAdmin, isRoot } = useViewer()
  // The texts of options are loaded for those who may change them.
  const { t } = useTranslation('shell', ...(isAdmin ? (['settings', 'options'] as const) : []))
  if (!isAdmin || query.trim() === '') return []
  const pages = settingsPages.map(({ name, icon }): Command => ({
    id: `settings-${name}`,
    kind: 'setting',
    label: t(`settings:page.${name}`),
    hint: t('page.settings'),
    icon,
    does: { to: '/admin/settings', search: { page: name } },
  }))
  const options = settingsPages.flatMap(({ name, sections }) =>
    sections
      .flatMap(keysOf)
      .filter((key) => isRoot || isOpenToAdmins(key))
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

const isOpenToAdmins = (key: OptionKey) => optionOf(key).isPublic || optionWriter(key) !== 'root'
