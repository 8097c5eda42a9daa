import type { OptionValues } from '@tollgate/contract'

import type { OrderRow } from '../../store/tables'
import { callbackAddress } from '../callback-address'
import { moneyText } from '../currency'
import type { CallbackReading, CallbackRequest, PaymentParts, PaymentProvider, PaymentStart } from '../provider'
import { merchantIn, type Merchant } from './merchant'
import { readNotification } from './read-notification'
import { signV1 } from './sign-v1'
import { wireType } from './wire-type'

const daySeconds = 86_400

/** Epay, also called Yi Zhi Fu: the protocol of many payment services for Alipay and WeChat Pay. */
export const epay: PaymentProvider = {
  id: 'epay',
  merchant: (options) => merchantIn(options)?.id ?? '',
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
  begin: (order, { catalog }) => Promise.resolve(paymentForm(order, catalog.current.options)),
  readCallback: (request, parts) => Promise.resolve(readCallback(request, parts)),
  ask: () => Promise.resolve({ kind: 'unsupported' }),
  refund: () => Promise.resolve({ kind: 'unsupported' }),
}

/** A form for the payer's browser: the service shows its page for it. */
function paymentForm(order: OrderRow, options: OptionValues): PaymentStart {
  const merchant = merchantIn(options)
  if (!merchant) throw new Error('Epay is not set up')
  const fields = {
    pid: merchant.id,
    type: wireType(order.method),
    out_trade_no: order.number,
    notify_url: `${callbackAddress(options)}/api/user/epay/notify`,
    return_url: `${options.ServerAddress}/app/wallet/topup-success`,
    name: `TUC${order.amount}`,
    money: moneyText(order.minor, order.currency),
    device: 'pc',
  }
  return {
    url: `${merchant.address}/submit.php`,
    fields: { ...fields, sign: signV1(fields, merchant.key), sign_type: 'MD5' },
  }
}

function readCallback(request: CallbackRequest, { catalog }: PaymentParts): CallbackReading {
  const merchant: Merchant | null = merchantIn(catalog.current.options)
  if (!merchant) return { kind: 'refused', reason: 'Epay is not set up' }
  return readNotification(request, merchant)
}
