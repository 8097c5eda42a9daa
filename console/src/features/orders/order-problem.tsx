import { Alert, Button, Group, Text } from '@mantine/core'
import { paymentRoutes } from '@tollgate/contract'

import { orderReads } from '../../components/order/use-check-order'
import { useTranslation } from '../../lib/i18n'
import { notifySuccess } from '../../lib/notify'
import { useWrite } from '../../lib/query'
import { useViewer } from '../../lib/session'
import type { Order } from './use-orders'

/** Why an order needs attention, and how to resolve it. */
export function OrderProblem({ order: { problem, trade_no: number } }: { readonly order: Order }) {
  const { t } = useTranslation('orders')
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
