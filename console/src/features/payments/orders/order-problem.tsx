import { Alert, Button, Group, Text } from '@mantine/core'
import { paymentRoutes } from '@tollgate/contract'

import { orderReads } from '../../../domain/order'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useFormat } from '../../../lib/text/use-format'
import type { Order } from './order-data'

interface OrderProblemProps {
  readonly order: Order
  readonly events: readonly paymentRoutes.OrderEvent[]
}

/** Outcomes of reports whose amount is not the one that was asked for. */
const differing: ReadonlySet<string> = new Set(['wrong_amount', 'wrong_currency', 'paid_twice'])

/** Why an order needs attention, and how to resolve it. */
export function OrderProblem({ order, events }: OrderProblemProps) {
  const { problem, trade_no: number } = order
  const { t } = useTranslation('orders')
  const { paid } = useFormat()
  const reported = events.find(({ outcome, money }) => differing.has(outcome) && money)?.money
  const mayWrite = useViewer().may('orders.write')
  const { mutate, isPending } = useWrite(paymentRoutes.resolveOrder, {
    changes: orderReads,
    onSuccess: () => notifySuccess(t('resolve.done')),
  })
  if (problem === '') return null
  const resolve = (wasPaidBack: boolean) => mutate({ body: { trade_no: number, was_paid_back: wasPaidBack } })
  return (
    <Alert color="red">
      <Text size="sm">{t(`problem.${problem}`)}</Text>
      {reported && (
        <Text size="sm" fw={500}>
          {t('paidOf', { paid: paid(reported.money, reported.currency), asked: paid(order.money, order.currency) })}
        </Text>
      )}
      {mayWrite && (
        <Group gap={8} mt="sm">
          <Button variant="default" loading={isPending} onClick={() => resolve(true)}>
            {t(problem === 'refund' ? 'resolve.wasRefunded' : 'resolve.action')}
          </Button>
          {problem === 'refund' && (
            <Button variant="default" loading={isPending} onClick={() => resolve(false)}>
              {t('resolve.wasNotRefunded')}
            </Button>
          )}
        </Group>
      )}
    </Alert>
  )
}
