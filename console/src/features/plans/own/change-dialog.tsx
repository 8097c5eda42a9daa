import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { planRoutes, type ApiError } from '@tollgate/contract'
import { useState } from 'react'

import { Facts } from '../../../components/facts'
import { ChoiceSelect } from '../../../components/fields/choice-select'
import { FocusBack } from '../../../components/focus-back'
import { subscriptionReads, type Plan, type Subscription } from '../../../domain/plans/plan-data'
import { PlanScope } from '../../../domain/plans/plan-scope'
import { RestHint } from '../../../domain/plans/rest-hint'
import { usePlanText } from '../../../domain/plans/use-plan-text'
import { useRead, useWrite } from '../../../lib/api/query'
import { notifySuccess } from '../../../lib/browser/notify'
import { formatDay } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { useBalance } from './own-plan-data'
import { PurchaseRefusal, TopUpButton } from './purchase-refusal'

interface ChangeDialogProps {
  readonly subscription: Subscription
  /** Those on sale. */
  readonly plans: readonly Plan[]
  readonly onClose: () => void
}

/** Changes to another plan: to a dearer one now, to a cheaper one with the next term. */
export function ChangeDialog({ subscription, plans, onClose }: ChangeDialogProps) {
  const { t } = useTranslation('own-plans')
  const text = usePlanText()
  const offered = plans.filter(({ id }) => id !== subscription.plan_id)
  const [chosenId, setChosenId] = useState(subscription.next_plan_id)
  const chosen = offered.find(({ id }) => id === chosenId) ?? offered[0]
  if (!chosen) return null
  const parts = { subscription, plan: chosen, onClose }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('change.title', { plan: subscription.plan_name })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <Stack gap="md">
        <ChoiceSelect
          label={t('change.to')}
          choices={offered.map((plan) => ({ value: String(plan.id), label: `${plan.name} · ${text.price(plan)}` }))}
          value={String(chosen.id)}
          onChange={(id) => setChosenId(Number(id))}
          data-autofocus
        />
        <PlanScope plan={chosen} />
        {chosen.price > subscription.price ? <Upgrade key={chosen.id} {...parts} /> : <Downgrade {...parts} />}
      </Stack>
    </Modal>
  )
}

interface ChosenProps {
  readonly subscription: Subscription
  readonly plan: Plan
  readonly onClose: () => void
}

/** The price of the new plan less the rest of the present term, paid now. */
function Upgrade({ subscription, plan, onClose }: ChosenProps) {
  const { t } = useTranslation('own-plans')
  const { money } = useFormat()
  const balance = useBalance()
  const [refusal, setRefusal] = useState<ApiError>()
  const quote = useRead(
    planRoutes.upgradePrice,
    { params: { id: subscription.id }, query: { plan_id: plan.id } },
    { staleTime: 0 },
  )
  const upgrade = useWrite(planRoutes.upgradePlan, {
    changes: subscriptionReads,
    onSuccess: () => {
      notifySuccess(t('change.changed', { plan: plan.name }))
      onClose()
    },
    onError: setRefusal,
  })
  const quoted = quote.isPlaceholderData ? undefined : quote.data
  const missing = quoted && balance !== undefined ? quoted.price - balance : 0
  return (
    <>
      {!quoted && !quote.error && <Skeleton h={96} />}
      {quoted && (
        <Facts
          facts={[
            [t('change.price'), money(plan.price)],
            [t('change.rest'), quoted.rest > 0 && money(0 - quoted.rest)],
            [t('change.now'), <strong key="now">{money(quoted.price)}</strong>],
            [t('change.balance'), balance !== undefined && money(balance)],
          ]}
        />
      )}
      {quoted && <RestHint rest={quoted} />}
      <Text size="sm" c="dimmed">
        {t('change.nowHint')}
      </Text>
      {missing > 0 && (
        <Text size="sm" c="var(--warn-text)">
          {t('order.short', { missing: money(missing) })}
        </Text>
      )}
      <PurchaseRefusal error={refusal ?? quote.error ?? undefined} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" size="sm" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        {missing > 0 || refusal?.code === 'quota.user' ? (
          <TopUpButton />
        ) : (
          <Button
            size="sm"
            loading={upgrade.isPending}
            disabled={!quoted}
            onClick={() => {
              setRefusal(undefined)
              upgrade.mutate({ params: { id: subscription.id }, body: { plan_id: plan.id } })
            }}
          >
            {t('change.confirmNow')}
          </Button>
        )}
      </Group>
    </>
  )
}

/** The next term is of the new plan. */
function Downgrade({ subscription, plan, onClose }: ChosenProps) {
  const { t } = useTranslation('own-plans')
  const text = usePlanText()
  const [refusal, setRefusal] = useState<ApiError>()
  const date = formatDay(subscription.ends_at)
  const change = useWrite(planRoutes.changeSubscription, {
    changes: subscriptionReads,
    onSuccess: () => {
      notifySuccess(t('change.planned', { plan: plan.name, date }))
      onClose()
    },
    onError: setRefusal,
  })
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('change.laterHint', { date, plan: plan.name, price: text.amount(plan.price) })}
      </Text>
      <PurchaseRefusal error={refusal} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" size="sm" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button
          size="sm"
          loading={change.isPending}
          onClick={() => {
            setRefusal(undefined)
            change.mutate({ params: { id: subscription.id }, body: { next_plan_id: plan.id, renews: true } })
          }}
        >
          {t('change.confirmLater', { date })}
        </Button>
      </Group>
    </>
  )
}
