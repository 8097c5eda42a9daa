import { Skeleton, Title } from '@mantine/core'
import { IconPackages } from '@tabler/icons-react'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'

import { PageHeader } from '../../../components/page/page-header'
import { ErrorState, StateMessage } from '../../../components/page/state-message'
import { PlainTable } from '../../../components/plain-table'
import type { Plan, Subscription } from '../../../domain/plans/plan-data'
import { usePlanText } from '../../../domain/plans/use-plan-text'
import { formatDay } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { isRunning, isTaken, useOwnSubscriptions, usePlansOnSale } from './own-plan-data'
import { OwnSubscription } from './own-subscription'
import classes from './own-plans.module.css'
import { PlanCard } from './plan-card'

const BuyDialog = lazy(async () => ({ default: (await import('./buy-dialog')).BuyDialog }))

/** What the reader subscribes to, and what is on sale. */
export function OwnPlansPage() {
  const { t } = useTranslation('own-plans')
  const plans = usePlansOnSale()
  const subscriptions = useOwnSubscriptions()
  const reads = [plans, subscriptions]
  const isEmpty = plans.data?.length === 0 && subscriptions.data?.length === 0
  return (
    <>
      <PageHeader title={t('title')} />
      {reads.map(
        ({ error, refetch }, index) =>
          error && <ErrorState key={index} error={error} onRetry={() => void refetch()} isSmall />,
      )}
      {isEmpty && <StateMessage icon={IconPackages} title={t('none.title')} hint={t('none.hint')} />}
      {/* Drawn at once: what is on sale stands below what runs. */}
      {reads.some(({ data, error }) => !data && !error) ? (
        <Skeleton h={280} maw={320} />
      ) : (
        <OwnPlans plans={plans.data ?? []} subscriptions={subscriptions.data} />
      )}
    </>
  )
}

interface OwnPlansProps {
  readonly plans: readonly Plan[]
  /** Undefined where they cannot be read. */
  readonly subscriptions: readonly Subscription[] | undefined
}

function OwnPlans({ plans, subscriptions }: OwnPlansProps) {
  const { t } = useTranslation('own-plans')
  const [bought, setBought] = useState<Plan>()
  const running = subscriptions?.filter(isRunning) ?? []
  const ended = subscriptions?.filter((subscription) => !isRunning(subscription)) ?? []
  return (
    <div className={classes.page}>
      {running.length > 0 && (
        <Section title={t('running')}>
          <div className={classes.subscriptions}>
            {running.map((subscription) => (
              <OwnSubscription key={subscription.id} subscription={subscription} plans={plans} />
            ))}
          </div>
        </Section>
      )}
      {plans.length > 0 && (
        <Section title={t('onSale')}>
          <div className={classes.plans}>
            {plans.map((plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                isTaken={isTaken(plan, running)}
                onBuy={subscriptions && (() => setBought(plan))}
              />
            ))}
          </div>
        </Section>
      )}
      {ended.length > 0 && (
        <Section title={t('earlier')}>
          <EarlierSubscriptions subscriptions={ended} />
        </Section>
      )}
      {bought && (
        <Suspense>
          <BuyDialog plan={bought} onClose={() => setBought(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} fz="md" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}

/** Subscriptions that have ended, newest first. */
function EarlierSubscriptions({ subscriptions }: { readonly subscriptions: readonly Subscription[] }) {
  const { t } = useTranslation('own-plans')
  const { amount } = usePlanText()
  return (
    <PlainTable
      label={t('earlier')}
      columns={[t('past.plan'), t('past.from'), t('past.until'), t('past.price')]}
      rows={subscriptions.map(({ id, plan_name: name, starts_at: from, ends_at: until, price }) => ({
        key: String(id),
        cells: [name, formatDay(from), formatDay(until), amount(price)],
      }))}
    />
  )
}
