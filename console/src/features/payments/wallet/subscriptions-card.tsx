import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { accountRoutes, planRoutes } from '@tollgate/contract'

import { SubscriptionEnd } from '../../../domain/plans/subscription-state'
import { useRead } from '../../../lib/api/query'
import { useTranslation } from '../../../lib/text/i18n'
import { WalletCard } from './wallet-card'
import classes from './wallet.module.css'

/** The reader's running subscriptions in a line each, and the way to all plans; nothing without any. */
export function SubscriptionsCard() {
  const { t } = useTranslation('wallet')
  const hasPlans = useRead(accountRoutes.getSelf, {}).data?.has_plans ?? false
  const { data = [] } = useRead(planRoutes.ownSubscriptions, undefined, { enabled: hasPlans })
  const running = data.filter(({ state }) => state === 'active')
  if (running.length === 0) return null
  return (
    <WalletCard
      title={t('plans.title')}
      actions={
        <Button variant="default" size="sm" renderRoot={(props) => <Link to="/app/plans" {...props} />}>
          {t('plans.all')}
        </Button>
      }
    >
      <ul className={classes.subscriptions}>
        {running.map((subscription) => (
          <li key={subscription.id}>
            <Text size="sm" fw={500} className={classes.subscriptionName}>
              {subscription.plan_name}
            </Text>
            <Text size="sm" c="dimmed" component="div">
              <SubscriptionEnd subscription={subscription} />
            </Text>
          </li>
        ))}
      </ul>
    </WalletCard>
  )
}
