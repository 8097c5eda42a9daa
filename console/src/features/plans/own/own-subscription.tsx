import { Button, Group, Paper, Switch, Text, Title } from '@mantine/core'
import { planRoutes } from '@tollgate/contract'
import { lazy, Suspense, useId, useState } from 'react'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { LimitBar } from '../../../domain/limits/limit-bar'
import { subscriptionReads, type Plan, type Subscription } from '../../../domain/plans/plan-data'
import { SubscriptionBadge, SubscriptionEnd } from '../../../domain/plans/subscription-state'
import { useWrite } from '../../../lib/api/query'
import { viewedUser } from '../../../lib/api/session'
import { notifySuccess } from '../../../lib/browser/notify'
import { formatDay } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { useBalance } from './own-plan-data'
import classes from './own-plans.module.css'

const ChangeDialog = lazy(async () => ({ default: (await import('./change-dialog')).ChangeDialog }))

interface OwnSubscriptionProps {
  readonly subscription: Subscription
  /** Those on sale. */
  readonly plans: readonly Plan[]
}

/** A running subscription: what is left of it, and how it goes on. */
export function OwnSubscription({ subscription, plans }: OwnSubscriptionProps) {
  const { t } = useTranslation('plan')
  const id = useId()
  return (
    <Paper component="article" aria-labelledby={id} className={classes.card}>
      <div>
        <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
          <Title order={3} id={id} className={classes.name}>
            {subscription.plan_name}
          </Title>
          <SubscriptionBadge subscription={subscription} />
        </Group>
        <Renewal subscription={subscription} plans={plans} />
      </div>
      <div>
        {subscription.standings.length === 0 && <Text size="sm">{t('noLimits')}</Text>}
        {subscription.standings.map((standing) => (
          <LimitBar key={standing.id} standing={standing} />
        ))}
      </div>
      {!viewedUser && <Controls subscription={subscription} plans={plans} />}
    </Paper>
  )
}

/** When it ends, or renews and for how much. */
function Renewal({ subscription, plans }: OwnSubscriptionProps) {
  const { t } = useTranslation('own-plans')
  const { money } = useFormat()
  const balance = useBalance()
  const { renews, ends_at: endsAt, plan_id: planId, next_plan_id: nextId } = subscription
  const next = plans.find(({ id }) => id === (nextId || planId))
  const date = formatDay(endsAt)
  if (!renews || (!next && nextId === 0))
    return (
      <Text size="sm" c="dimmed" component="div">
        <SubscriptionEnd subscription={subscription} />
      </Text>
    )
  const missing = next && balance !== undefined ? next.price - balance : 0
  return (
    <>
      <Text size="sm" c="dimmed">
        {next
          ? t(nextId > 0 ? 'renewsAs' : 'renewsFor', { date, plan: next.name, price: money(next.price) })
          : t('renewsAsOther', { date })}
      </Text>
      {missing > 0 && (
        <Text size="sm" c="var(--warn-text)">
          {t('shortfall', { missing: money(missing), date })}
        </Text>
      )}
    </>
  )
}

function Controls({ subscription, plans }: OwnSubscriptionProps) {
  const { t } = useTranslation('own-plans')
  const [isChanging, setChanging] = useState(false)
  const { id, plan_id: planId, plan_name: name, renews, preference, next_plan_id: nextId } = subscription
  const change = useWrite(planRoutes.changeSubscription, {
    changes: subscriptionReads,
    onSuccess: () => notifySuccess(t('saved')),
  })
  const set = (body: Partial<Pick<Subscription, 'renews' | 'preference' | 'next_plan_id'>>) =>
    change.mutate({ params: { id }, body })
  const hasOthers = plans.some((plan) => plan.id !== planId)
  return (
    <>
      <div className={classes.controls}>
        <ChoiceSelect
          label={t('preference')}
          description={t(`plan:preferenceHint.${preference}`)}
          inputWrapperOrder={['label', 'input', 'description']}
          choices={planRoutes.planPreferences.map((value) => ({ value, label: t(`plan:preference.${value}`) }))}
          value={preference}
          disabled={change.isPending}
          onChange={(value) => set({ preference: value })}
        />
      </div>
      <Group justify="space-between" gap="sm">
        <Switch
          size="sm"
          label={t('renewsItself')}
          checked={renews}
          disabled={change.isPending}
          onChange={({ currentTarget }) => set({ renews: currentTarget.checked })}
        />
        <Group gap={8}>
          {nextId > 0 && (
            <Button variant="subtle" loading={change.isPending} onClick={() => set({ next_plan_id: 0 })}>
              {t('change.keep', { plan: name })}
            </Button>
          )}
          {hasOthers && (
            <Button variant="default" onClick={() => setChanging(true)}>
              {t('change.action')}
            </Button>
          )}
        </Group>
      </Group>
      {isChanging && (
        <Suspense>
          <ChangeDialog subscription={subscription} plans={plans} onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </>
  )
}
