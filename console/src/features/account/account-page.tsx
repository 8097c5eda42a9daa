import { Skeleton, Stack } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, type ComponentType } from 'react'

import { PageHeader } from '../../components/page/page-header'
import { RouteTabs } from '../../components/page/route-tabs'
import { StateMessage } from '../../components/page/state-message'
import { useTranslation } from '../../lib/text/i18n'
import { viewedUser } from '../../lib/api/session'
import { meTabs, type MeTab } from './account-search'
import classes from './account.module.css'

const route = getRouteApi('/app/me')

const contents: Readonly<Record<MeTab, ComponentType>> = {
  overview: lazy(async () => ({ default: (await import('./overview/overview-tab')).OverviewTab })),
  'sign-in': lazy(async () => ({ default: (await import('./sign-in/sign-in-tab')).SignInTab })),
  notification: lazy(async () => ({ default: (await import('./notification/notification-tab')).NotificationTab })),
  security: lazy(async () => ({ default: (await import('./security-tab')).SecurityTab })),
  tokens: lazy(async () => ({ default: (await import('./tokens/tokens-tab')).TokensTab })),
  preferences: lazy(async () => ({ default: (await import('./preferences-tab')).PreferencesTab })),
}

const placeholderHeight = 320

/** The reader's own account. */
export function AccountPage() {
  const { t } = useTranslation('account')
  const { tab = 'overview' } = route.useSearch()
  const Content = contents[tab]
  // These are the reader's own settings, not those of the user they are viewing as.
  if (viewedUser) return <StateMessage icon={IconEyeOff} title={t('title')} hint={t('common:error.viewing')} isPage />
  return (
    <>
      <PageHeader title={t('title')} />
      <Stack gap="lg">
        <RouteTabs
          label={t('title')}
          current={tab}
          tabs={meTabs.map((name) => ({
            name,
            label: t(`tab.${name}`),
            link: { to: '/app/me', search: name === 'overview' ? {} : { tab: name } },
          }))}
        />
        <div className={classes.page} data-tab={tab}>
          <Suspense fallback={<Skeleton h={placeholderHeight} />}>
            <Content />
          </Suspense>
        </div>
      </Stack>
    </>
  )
}
