import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { ChoiceSelect } from '../../components/choice-select'
import { useIsPhone } from '../../lib/breakpoints'
import type { SettingsPageEntry } from './settings-pages'
import classes from './settings.module.css'

interface SettingsMenuProps {
  readonly pages: readonly SettingsPageEntry[]
  /** None while something is searched. */
  readonly current: SettingsPageEntry | undefined
  readonly isChanged: (page: SettingsPageEntry) => boolean
}

/** The pages of the settings: a list beside them, a choice above them on phones. A dot marks what is not saved. */
export function SettingsMenu({ pages, current, isChanged }: SettingsMenuProps) {
  const { t } = useTranslation('settings')
  const isPhone = useIsPhone()
  const navigate = useNavigate()
  if (isPhone) {
    return (
      <ChoiceSelect
        aria-label={t('menu')}
        value={current?.name ?? ''}
        onChange={(page) => page !== '' && void navigate({ to: '/admin/settings', search: { page } })}
        choices={[
          ...(current ? [] : [{ value: '' as const, label: t('found') }]),
          ...pages.map((page) => ({
            value: page.name,
            label: isChanged(page) ? `${t(`page.${page.name}`)} •` : t(`page.${page.name}`),
          })),
        ]}
      />
    )
  }
  return (
    <nav aria-label={t('menu')} className={classes.menu}>
      {pages.map((page) => (
        <Link
          key={page.name}
          to="/admin/settings"
          search={{ page: page.name }}
          className={classes.link}
          aria-current={page === current ? 'page' : undefined}
        >
          <page.icon size={16} stroke={1.6} />
          <span>{t(`page.${page.name}`)}</span>
          {isChanged(page) && <span className={classes.dot} role="img" aria-label={t('unsaved')} />}
        </Link>
      ))}
    </nav>
  )
}
