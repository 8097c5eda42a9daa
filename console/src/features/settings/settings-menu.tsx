import { RouteTabs } from '../../components/page/route-tabs'
import { useTranslation } from '../../lib/text/i18n'
import type { SettingsPageEntry } from './settings-pages'
import { pageGroups } from './settings-search'
import classes from './settings.module.css'

interface SettingsMenuProps {
  readonly pages: readonly SettingsPageEntry[]
  /** Undefined during a search. */
  readonly current: SettingsPageEntry | undefined
  readonly isChanged: (page: SettingsPageEntry) => boolean
}

/** The pages of the settings. A dot marks unsaved changes. */
export function SettingsMenu({ pages, current, isChanged }: SettingsMenuProps) {
  const { t } = useTranslation('settings')
  const unsaved = {
    drawn: <span className={classes.dot} role="img" aria-label={t('unsaved')} />,
    text: '•',
  }
  return (
    <RouteTabs
      isVertical
      label={t('menu')}
      current={current?.name}
      otherLabel={t('found')}
      tabs={pages.map((page) => ({
        name: page.name,
        label: t(`page.${page.name}`),
        group: t(`group.${pageGroups[page.name]}`),
        icon: page.icon,
        mark: isChanged(page) ? unsaved : undefined,
        link: { to: '/admin/settings', search: { page: page.name } },
      }))}
    />
  )
}
