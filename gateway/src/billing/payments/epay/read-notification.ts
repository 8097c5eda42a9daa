import { minorOf } from '../currency'
import type { CallbackReading, CallbackRequest, PaymentEvent } from '../provider'
import { isFromService, type Merchant } from './merchant'
import type { Parameters } from './signatures'

/** Reads a notification and verifies its signature. */
export function readNotification(request: CallbackRequest, merchant: Merchant): CallbackReading {
  const parameters = parametersOf(request)
  if (!parameters) return { kind: 'refused', reason: 'a parameter is repeated' }
  if (!isFromService(merchant, parameters)) return { kind: 'refused', reason: 'the signature is wrong' }
  return eventOf(parameters)
}

/** From the query or from the form, whichever the service uses; null when one is named twice, as then it is unclear which was signed. */
function parametersOf({ query, body }: CallbackRequest): Parameters | null {
  const sent = body.length > 0 ? new URLSearchParams(Buffer.from(body).toString('utf8')) : query
  const names = [...sent.keys()]
  if (new Set(names).size !== names.length) return null
  return Object.fromEntries(sent)
}

/** Interprets verified parameters. */
function eventOf(parameters: Parameters): CallbackReading {
  const { pid = '', out_trade_no: orderNumber = '', trade_no: providerNumber = '', money = '' } = parameters
  if (parameters['trade_status'] !== 'TRADE_SUCCESS')
    return { kind: 'ignored', reason: 'it is not a successful payment' }
  const minor = minorOf(money, 'CNY')
  if (orderNumber === '' || minor === null) return { kind: 'refused', reason: 'the order or the money is missing' }
  const { sign: _sign, ...payload } = parameters
  const event = paidEvent({ orderNumber, providerNumber, merchant: pid, minor })
  return { kind: 'event', event, payload: JSON.stringify(payload) }
}

interface Paid {
  readonly orderNumber: string
  readonly providerNumber: string
  readonly merchant: string
  readonly minor: number
}

/** Returns a payment event, from a notification or a query: the same payment is the same event. */
export const paidEvent = ({ orderNumber, providerNumber, merchant, minor }: Paid): PaymentEvent => ({
  id: `paid:${orderNumber}:${providerNumber}`,
  orderNumber,
  kind: 'paid',
  merchant,
  minor,
  currency: 'CNY',
  ...(providerNumber !== '' && { providerNumber }),
})
