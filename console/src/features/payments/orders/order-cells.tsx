import { OrderStatus } from '../../../domain/order'
import { StatusBadge } from '../../../components/status-badge'
import { useTranslation } from '../../../lib/text/i18n'
import type { Order } from './order-data'

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

/** Providers known to this release. */
export const providers = ['epay', 'stripe'] as const

/** Returns the name of a provider; the id of an unknown one. */
export function useProviderName() {
  const { t } = useTranslation('orders')
  return (id: string): string => {
    const known = providers.find((provider) => provider === id)
    return known ? t(`provider.${known}`) : id
  }
}
