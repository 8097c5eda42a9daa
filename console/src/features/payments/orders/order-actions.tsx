import { IconDots, IconListDetails, IconReceiptRefund, IconRefresh, IconUserCheck } from '@tabler/icons-react'
import { paymentRoutes } from '@tollgate/contract'

import { MenuButton, type MenuItem } from '../../../components/menu-button'
import { useTranslation } from '../../../lib/text/i18n'
import type { Order } from './order-data'
import { orderReads, useCheckOrder } from '../../../domain/order'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useFormat } from '../../../lib/text/use-format'

interface OrderMenuProps {
  readonly order: Order
  readonly onOpen: () => void
  readonly onRefund: () => void
}

/** Actions for an order, at the end of its row. */
export function OrderMenu({ order, onOpen, onRefund }: OrderMenuProps) {
  const { t } = useTranslation('orders')
  const acts = useOrderActions(order)
  const items: readonly (MenuItem | false)[] = [
    { id: 'open', label: t('action.open'), icon: IconListDetails, onClick: onOpen },
    acts.canCheck && { id: 'check', label: t('order:checkNow'), icon: IconRefresh, onClick: acts.check },
    acts.canComplete && {
      id: 'complete',
      label: t('complete.action'),
      icon: IconUserCheck,
      startsGroup: true,
      confirmation: acts.completing,
      onClick: acts.complete,
    },
    acts.canRefund && {
      id: 'refund',
      label: t('refund.action'),
      icon: IconReceiptRefund,
      isDangerous: true,
      startsGroup: true,
      onClick: onRefund,
    },
  ]
  return (
    <MenuButton
      label={t('action.more', { number: order.trade_no })}
      icon={IconDots}
      items={items.filter((item) => item !== false)}
    />
  )
}

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
