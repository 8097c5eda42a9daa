import { Button, Group, Text } from '@mantine/core'

import classes from './settings.module.css'
import { RouteTabs } from '../../components/page/route-tabs'
import { useTranslation } from '../../lib/text/i18n'
import type { SettingsPageEntry } from './settings-pages'
import { pageGroups } from './settings-search'

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

interface SaveBarProps {
  readonly count: number
  readonly isSaving: boolean
  readonly onDiscard: () => void
}

/** The number of unsaved changes, saving and discarding. Submits the form around it. */
export function SaveBar({ count, isSaving, onDiscard }: SaveBarProps) {
  const { t } = useTranslation('settings')
  return (
    <div className={classes.bar} data-changed={count > 0 || undefined}>
      <Text size="sm" fw={count > 0 ? 600 : undefined} c={count > 0 ? undefined : 'dimmed'} role="status">
        {count > 0 ? t('changes', { count }) : t('noChanges')}
      </Text>
      <Group gap={8}>
        {count > 0 && (
          <Button variant="default" size="sm" onClick={onDiscard} disabled={isSaving}>
            {t('discard')}
          </Button>
        )}
        <Button type="submit" size="sm" variant={count > 0 ? 'filled' : 'default'} loading={isSaving}>
          {t('save')}
        </Button>
      </Group>
    </div>
  )
}
