import { IconDots, IconListDetails, IconReceiptRefund, IconRefresh, IconUserCheck } from '@tabler/icons-react'

import { MenuButton, type MenuItem } from '../../../components/menu-button'
import { useTranslation } from '../../../lib/text/i18n'
import { useOrderActions } from './use-order-actions'
import type { Order } from './order-data'

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
