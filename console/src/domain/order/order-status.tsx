import type { paymentRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { StatusBadge, type Tone } from '../../components/status-badge'

const tones: Readonly<Record<paymentRoutes.OrderStatus, Tone>> = {
  pending: 'warning',
  paid: 'good',
  failed: 'bad',
  expired: 'neutral',
  refunded: 'neutral',
  disputed: 'bad',
}

interface OrderStatusProps {
  readonly order: Pick<paymentRoutes.OwnOrder, 'status' | 'refunded' | 'is_under_way'>
}

/** Status of an order, including partial and pending refunds. */
export function OrderStatus({ order: { status, refunded, is_under_way: isInProgress } }: OrderStatusProps) {
  const { t } = useTranslation('order')
  if (isInProgress) return <StatusBadge tone="accent">{t('status.underWay')}</StatusBadge>
  if (status === 'paid' && Number(refunded) > 0)
    return <StatusBadge tone="neutral">{t('status.partlyRefunded')}</StatusBadge>
  return <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
}
