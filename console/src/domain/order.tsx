import { accountRoutes, paymentRoutes, walletRoutes } from '@tollgate/contract'

import { useTranslation } from '../lib/text/i18n'
import { StatusBadge, type Tone } from '../components/status-badge'
import { notifySuccess, notifyWarning } from '../lib/browser/notify'
import { useWrite } from '../lib/api/query'

const statusTones: Readonly<Record<paymentRoutes.OrderStatus, Tone>> = {
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
  return <StatusBadge tone={statusTones[status]}>{t(`status.${status}`)}</StatusBadge>
}

/** Default names of the built-in payment methods, in every language. */
const shippedNames: Readonly<Record<string, string>> = { alipay: '支付宝', wxpay: '微信支付' }

const knownMethods = {
  zfb: 'alipay',
  alipay: 'alipay',
  wx: 'wxpay',
  wxpay: 'wxpay',
  qqpay: 'qqpay',
  card: 'card',
  stripe: 'stripe',
} as const

const isKnownMethod = (type: string): type is keyof typeof knownMethods => Object.hasOwn(knownMethods, type)

/** Returns the name of a payment method: in the reader's language unless the operator has renamed it. */
export function useMethodName() {
  const { t } = useTranslation('order')
  return (type: string, ownName?: string): string => {
    if (!isKnownMethod(type)) return ownName ?? type
    const method = knownMethods[type]
    return ownName === undefined || ownName === shippedNames[method] ? t(`method.${method}`) : ownName
  }
}

/** Reads affected when an order is paid, completed or refunded. */
export const orderReads = [
  paymentRoutes.listOwnOrders,
  paymentRoutes.listOrders,
  paymentRoutes.getOrder,
  accountRoutes.getSelf,
  walletRoutes.statement,
]

/** Asks the provider about an order and shows the result. */
export function useCheckOrder() {
  const { t } = useTranslation('order')
  const { mutate, isPending } = useWrite(paymentRoutes.checkOrder, {
    changes: orderReads,
    onSuccess: ({ outcome }) => {
      const notify = outcome === 'paid' ? notifySuccess : notifyWarning
      notify(t(`check.${outcome}`))
    },
  })
  return { check: (number: string) => mutate({ body: { trade_no: number } }), isChecking: isPending }
}
