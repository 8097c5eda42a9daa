import { Stack } from '@mantine/core'

import { PageHeader } from '../../components/page-header'
import { RouteTabs } from '../../components/route-tabs'
import { useTranslation } from '../../lib/i18n'
import { AccountCard } from './account-card'
import classes from './me.module.css'
import { SecurityTab } from './security-tab'

/** The reader's own account. */
export function MePage() {
  const { t } = useTranslation('me')
  return (
    <>
      <PageHeader title={t('title')} />
      <Stack gap="lg" className={classes.page}>
        <AccountCard />
        <RouteTabs
          label={t('title')}
          current="security"
          tabs={[{ name: 'security', label: t('tab.security'), link: { to: '/app/me' } }]}
        />
        <SecurityTab />
      </Stack>
    </>
  )
}
