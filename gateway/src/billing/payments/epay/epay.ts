import { daySeconds, type OptionValues } from '@tollgate/contract'

import type { OrderRow } from '../../../platform/store/tables'
import {
  callbackAddress,
  type OrderQueryResult,
  type PaymentDeps,
  type PaymentProvider,
  type PaymentStart,
  type Refund,
  type RefundResult,
} from '../provider'
import { minorOf, moneyText } from '../currency'
import { merchantIn, signedBy, type Merchant } from './merchant'
import { paidEvent, readNotification } from './read-notification'
import { callService } from './call-service'

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
  queryOrder: async (order, deps) => queryService(order, await requiredMerchant(deps.catalog.current.options), deps),
  refund: async (order, refund, deps) =>
    refundByService(order, refund, await requiredMerchant(deps.catalog.current.options), deps),
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

const names: Readonly<Record<string, string>> = { zfb: 'alipay', wx: 'wxpay' }

/** Returns the name by which Epay services know a payment method. */
const wireType = (method: string): string => names[method] ?? method

/** Services use 1 for paid; refunded or frozen orders have other numbers. */
const paid = '1'

/** Queries the service whether an order is paid. */
async function queryService(order: OrderRow, merchant: Merchant, deps: PaymentDeps): Promise<OrderQueryResult> {
  const serviceResponse = await callService(deps, merchant, 'order', { out_trade_no: order.number })
  if (serviceResponse.kind !== 'answer') return { kind: serviceResponse.kind }
  const { members } = serviceResponse
  // An order whose page was never opened is not known there.
  if (!serviceResponse.isDone || members['status'] !== paid) return { kind: 'pending' }
  const minor = minorOf(members['money'] ?? '', 'CNY')
  const isOther = (members['out_trade_no'] ?? order.number) !== order.number
  if (minor === null || isOther) return { kind: 'unreachable' }
  const { pid = merchant.id, trade_no: providerNumber = '' } = members
  return {
    kind: 'event',
    event: paidEvent({ orderNumber: order.number, providerNumber, merchant: pid, minor }),
    payload: payloadOf(members),
  }
}

function payloadOf({ sign: _sign, key: _key, ...members }: Readonly<Record<string, string>>): string {
  return JSON.stringify(members)
}

/**
 * Requests a refund from the service. A repeated one is the same to version 2 by its number, but what such a service refuses it may have made
 * before. Version 1 has no numbers of refunds and is not asked again.
 */
async function refundByService(
  order: OrderRow,
  { number, minor, isRepeated }: Refund,
  merchant: Merchant,
  deps: PaymentDeps,
): Promise<RefundResult> {
  if (isRepeated && merchant.protocol.version === 1) return { kind: 'uncertain' }
  const money = moneyText(minor, order.currency)
  const serviceResponse = await callService(deps, merchant, 'refund', {
    ...(order.provider_number === '' ? { out_trade_no: order.number } : { trade_no: order.provider_number }),
    ...(merchant.protocol.version === 2 && { out_refund_no: number }),
    money,
  })
  if (serviceResponse.kind !== 'answer')
    return { kind: serviceResponse.kind === 'unsupported' ? 'unsupported' : 'uncertain' }
  if (!serviceResponse.isDone && isRepeated) return { kind: 'uncertain' }
  return serviceResponse.isDone
    ? { kind: 'refunded' }
    : { kind: 'refused', reason: serviceResponse.members['msg'] ?? '' }
}
