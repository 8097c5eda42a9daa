import { Button, Group, Modal, Stack, Switch, Text } from '@mantine/core'
import { paymentRoutes, planRoutes, type ApiError } from '@tollgate/contract'
import { useState, type SubmitEvent } from 'react'

import { Facts } from '../../../components/facts'
import { FocusBack } from '../../../components/focus-back'
import { fromBalance, PayMethods } from '../../../domain/payment/pay-methods'
import { usePay } from '../../../domain/payment/use-pay'
import { subscriptionReads, type Plan } from '../../../domain/plans/plan-data'
import { usePlanText } from '../../../domain/plans/use-plan-text'
import { useRead, useWrite } from '../../../lib/api/query'
import { notifySuccess } from '../../../lib/browser/notify'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { useBalance } from './own-plan-data'
import { PurchaseRefusal, TopUpButton } from './purchase-refusal'

interface BuyDialogProps {
  readonly plan: Plan
  readonly onClose: () => void
}

/** Buys a plan: from the balance, or by a payment method. */
export function BuyDialog({ plan, onClose }: BuyDialogProps) {
  const { t } = useTranslation('own-plans', 'order')
  const balance = useBalance()
  const info = useRead(paymentRoutes.topUpInfo).data
  const [method, setMethod] = useState(fromBalance)
  const methods = info?.enable_online_topup && plan.price > 0 ? info.pay_methods : []
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('order.title', { plan: plan.name })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      {methods.length > 0 && (
        <PayMethods methods={methods} balance={t('order.balance')} value={method} onChange={setMethod} />
      )}
      {method === fromBalance ? (
        <FromBalance plan={plan} balance={balance} onClose={onClose} />
      ) : (
        <Online plan={plan} method={method} onClose={onClose} />
      )}
    </Modal>
  )
}

interface FromBalanceProps extends BuyDialogProps {
  readonly balance: number | undefined
}

function FromBalance({ plan, balance, onClose }: FromBalanceProps) {
  const { t } = useTranslation('own-plans')
  const { money } = useFormat()
  const text = usePlanText()
  const [renews, setRenews] = useState(false)
  const [refusal, setRefusal] = useState<ApiError>()
  const buy = useWrite(planRoutes.buyPlan, {
    changes: subscriptionReads,
    onSuccess: () => {
      notifySuccess(t('order.done', { plan: plan.name }))
      onClose()
    },
    onError: setRefusal,
  })
  const missing = balance === undefined ? 0 : plan.price - balance
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setRefusal(undefined)
    buy.mutate({ body: { plan_id: plan.id, renews } })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md" mt="md">
        <Facts
          facts={[
            [t('order.price'), text.amount(plan.price)],
            [t('order.term'), text.term(plan)],
            [t('order.balance'), balance !== undefined && money(balance)],
            [t('order.after'), balance !== undefined && missing <= 0 && money(-missing)],
          ]}
        />
        <Switch
          size="sm"
          label={t('order.renews')}
          description={t('order.renewsHint')}
          checked={renews}
          onChange={({ currentTarget }) => setRenews(currentTarget.checked)}
        />
        {missing > 0 && (
          <Text size="sm" c="var(--warn-text)">
            {t('order.short', { missing: money(missing) })}
          </Text>
        )}
        <PurchaseRefusal error={refusal} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          {missing > 0 || refusal?.code === 'quota.user' ? (
            <TopUpButton />
          ) : (
            <Button type="submit" size="sm" loading={buy.isPending} disabled={balance === undefined} data-autofocus>
              {plan.price === 0 ? t('order.confirmFree') : t('order.confirm', { price: money(plan.price) })}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

interface OnlineProps extends BuyDialogProps {
  readonly method: string
}

function Online({ plan, method, onClose }: OnlineProps) {
  const { t } = useTranslation('own-plans')
  const { paid } = useFormat()
  const text = usePlanText()
  const { isLeaving, pay } = usePay()
  const info = useRead(paymentRoutes.topUpInfo).data
  const currency = info?.pay_methods.find(({ type }) => type === method)?.currency ?? ''
  const quoted = useRead(paymentRoutes.payableAmount, {
    body: { plan_id: plan.id, payment_method: method, top_up_code: '' },
  })
  const payable = quoted.isPlaceholderData ? undefined : quoted.data
  return (
    <Stack gap="md" mt="md">
      <Facts
        facts={[
          [t('order.price'), text.amount(plan.price)],
          [t('order.term'), text.term(plan)],
          [t('order.payable'), payable === undefined ? '–' : paid(payable, currency)],
        ]}
      />
      <Text size="sm" c="dimmed">
        {t('order.online')}
      </Text>
      <PurchaseRefusal error={quoted.error ?? undefined} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" size="sm" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button
          size="sm"
          loading={isLeaving}
          disabled={payable === undefined}
          onClick={() => pay({ plan_id: plan.id }, method)}
        >
          {t('order.leave')}
        </Button>
      </Group>
    </Stack>
  )
}
