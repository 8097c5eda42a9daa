import { paymentRoutes } from '@tollgate/contract'

import { orderReads, useCheckOrder } from '../../../domain/order'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useFormat } from '../../../lib/text/use-format'
import type { Order } from './order-data'

/** The reader's actions on an order, with their confirmations. */
export function useOrderActions(order: Order) {
  const { t } = useTranslation('orders')
  const { money, paid } = useFormat()
  const { check, isChecking } = useCheckOrder()
  const mayWrite = useViewer().may('orders.write')
  const complete = useWrite(paymentRoutes.completeOrder, {
    changes: orderReads,
    onSuccess: ({ quota, username }) => notifySuccess(t('complete.done', { quota: money(quota), username })),
  })
  const isUnpaid = order.paid_at === 0
  return {
    canCheck: mayWrite && isUnpaid,
    canComplete: mayWrite && isUnpaid,
    canRefund: mayWrite && Number(order.refundable) > 0,
    isChecking,
    isCompleting: complete.isPending,
    check: () => check(order.trade_no),
    complete: () => complete.mutate({ body: { trade_no: order.trade_no } }),
    completing: {
      title: t('complete.title'),
      question: t('complete.question', {
        quota: money(order.quota),
        username: order.username,
        money: paid(order.money, order.currency),
      }),
      confirmText: t('complete.confirm'),
    },
  }
}
