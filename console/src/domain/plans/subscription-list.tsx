import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconDots, IconPlayerStop } from '@tabler/icons-react'
import { planRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { ChoiceSelect } from '../../components/fields/choice-select'
import { MenuButton } from '../../components/menu-button'
import { PageSteps } from '../../components/page/page-steps'
import { ErrorState } from '../../components/page/state-message'
import { PanelSection } from '../../components/peek/panel-section'
import { useRead } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { LimitBar } from '../limits/limit-bar'
import type { UserSubscription } from './plan-data'
import classes from './subscription-list.module.css'
import { SubscriptionBadge, SubscriptionEnd } from './subscription-state'

const EndDialog = lazy(async () => ({ default: (await import('./end-dialog')).EndDialog }))

type Shown = 'running' | 'all'
const shownChoices = ['running', 'all'] as const

const pageSize = 10

interface SubscriptionListProps {
  /** Whose they are, or which plan’s. */
  readonly of: { readonly plan_id: number } | { readonly user_id: number }
}

/** The subscriptions of a plan or a user, newest first, as a section of a panel. */
export function SubscriptionList({ of }: SubscriptionListProps) {
  const { t } = useTranslation('plan')
  const [shown, setShown] = useState<Shown>('running')
  const [page, setPage] = useState(1)
  const [ending, setEnding] = useState<UserSubscription>()
  const state = shown === 'running' ? ('active' as const) : undefined
  const { data, error, refetch } = useRead(planRoutes.listSubscriptions, {
    query: { p: page, page_size: pageSize, ...of, state },
  })
  const last = Math.ceil((data?.total ?? 0) / pageSize)
  return (
    <PanelSection
      title={t('list.title')}
      aside={
        <ChoiceSelect
          size="xs"
          aria-label={t('list.show')}
          choices={shownChoices.map((value) => ({ value, label: t(`list.${value}`) }))}
          value={shown}
          onChange={(value) => {
            setShown(value)
            setPage(1)
          }}
        />
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!data && !error && <Skeleton h={80} />}
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          {t(shown === 'running' ? 'list.noneRunning' : 'list.none')}
        </Text>
      )}
      {data && data.items.length > 0 && (
        <Stack gap="sm">
          <ul className={classes.list}>
            {data.items.map((subscription) => (
              <Entry
                key={subscription.id}
                subscription={subscription}
                name={'plan_id' in of ? subscription.username : subscription.plan_name}
                onEnd={() => setEnding(subscription)}
              />
            ))}
          </ul>
          {last > 1 && <PageSteps page={page} last={last} onChange={setPage} />}
        </Stack>
      )}
      {ending && (
        <Suspense>
          <EndDialog subscription={ending} onClose={() => setEnding(undefined)} />
        </Suspense>
      )}
    </PanelSection>
  )
}

interface EntryProps {
  readonly subscription: UserSubscription
  readonly name: string
  readonly onEnd: () => void
}

function Entry({ subscription, name, onEnd }: EntryProps) {
  const { t } = useTranslation('plan')
  const { money } = useFormat()
  const mayWrite = useViewer().may('balances.write')
  const { state, source, paid, used, standings } = subscription
  return (
    <li className={classes.entry}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Group gap={4} wrap="nowrap">
          <SubscriptionBadge subscription={subscription} />
          {mayWrite && state === 'active' && (
            <MenuButton
              label={t('list.more', { name: subscription.username })}
              icon={IconDots}
              items={[{ id: 'end', label: t('end.action'), icon: IconPlayerStop, isDangerous: true, onClick: onEnd }]}
            />
          )}
        </Group>
      </Group>
      <Text size="xs" c="dimmed" component="div">
        <SubscriptionEnd subscription={subscription} />
        {` · ${t(`source.${source}`)} · ${t('list.paid', { quota: money(paid) })} · ${t('list.used', { quota: money(used) })}`}
      </Text>
      {standings.length > 0 && (
        <div className={classes.standings}>
          {standings.map((standing) => (
            <LimitBar key={standing.id} standing={standing} />
          ))}
        </div>
      )}
    </li>
  )
}
