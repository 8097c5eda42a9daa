import { OrderStatus } from '../../../domain/order/order-status'
import { StatusBadge } from '../../../components/status-badge'
import { useTranslation } from '../../../lib/text/i18n'
import type { Order } from './use-orders'

/** Status of an order as operators see it: a problem comes before what the order itself says. */
export function OrderState({ order }: { readonly order: Order }) {
  const { t } = useTranslation('orders')
  if (order.problem === '') return <OrderStatus order={order} />
  return (
    <StatusBadge tone="bad" reason={t(`problem.${order.problem}`)}>
      {t('needsLook')}
    </StatusBadge>
  )
}
