import { daySeconds, type OptionValues } from '@tollgate/contract'

import type { OrderRow } from '../../../platform/store/tables'
import { callbackAddress } from '../callback-address'
import { moneyText } from '../currency'
import type { PaymentProvider, PaymentStart } from '../provider'
import { askService } from './ask-service'
import { merchantIn, signedBy, type Merchant } from './merchant'
import { readNotification } from './read-notification'
import { refundByService } from './refund-by-service'
import { wireType } from './wire-type'

/** Epay, also called Yi Zhi Fu: the protocol of many payment services for Alipay and WeChat Pay, in its versions 1 (MD5) and 2 (RSA). */
export const epay: PaymentProvider = {
  id: 'epay',
  merchant: (options) => merchantIn(options)?.id ?? '',
  // Many services cannot be queried.
  mustConfirm: false,
  lifetimeSeconds: daySeconds,
  methods(options) {
    if (!merchantIn(options)) return []
    return options.PayMethods.map(({ name, type, color = '', icon = '', min_topup = 1 }) => ({
      name,
      type,
      color,
      icon,
      min_topup,
      currency: 'CNY',
      price: options.Price,
    }))
  },
  async begin(order, { catalog, clock }) {
    const { options } = catalog.current
    return paymentForm(order, await requiredMerchant(options), options, clock.seconds())
  },
  async readCallback(request, { catalog }) {
    const merchant = merchantIn(catalog.current.options)
    return merchant ? readNotification(request, merchant) : { kind: 'refused', reason: 'Epay is not configured' }
  },
  ask: async (order, parts) => askService(order, await requiredMerchant(parts.catalog.current.options), parts),
  refund: async (order, refund, parts) =>
    refundByService(order, refund, await requiredMerchant(parts.catalog.current.options), parts),
}

/** Rejects while Epay is not configured. */
function requiredMerchant(options: OptionValues): Promise<Merchant> {
  const merchant = merchantIn(options)
  return merchant ? Promise.resolve(merchant) : Promise.reject(new Error('Epay is not configured'))
}

/** Returns a form for the payer's browser: the service shows its page for it. */
function paymentForm(order: OrderRow, merchant: Merchant, options: OptionValues, now: number): PaymentStart {
  const isFirst = merchant.protocol.version === 1
  const fields = {
    pid: merchant.id,
    type: wireType(order.method),
    out_trade_no: order.number,
    notify_url: `${callbackAddress(options)}/api/user/epay/notify`,
    return_url: `${options.ServerAddress}/app/wallet/topup-success`,
    name: `TUC${order.amount}`,
    money: moneyText(order.minor, order.currency),
    ...(isFirst ? { device: 'pc' } : { timestamp: String(now) }),
  }
  return {
    url: `${merchant.address}${isFirst ? '/submit.php' : '/api/pay/submit'}`,
    fields: signedBy(merchant, fields),
  }
}
