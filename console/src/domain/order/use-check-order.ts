import { paymentRoutes, accountRoutes, walletRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'

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
