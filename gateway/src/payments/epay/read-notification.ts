import type { CallbackReading, CallbackRequest } from '../provider'
import { minorOf } from '../currency'
import type { Merchant } from './merchant'
import { verifyV1, type Parameters } from './sign-v1'

/** Reads a notification of version 1 and verifies its signature. */
export function readNotification(request: CallbackRequest, merchant: Merchant): CallbackReading {
  const parameters = parametersOf(request)
  if (!parameters) return { kind: 'refused', reason: 'a parameter is repeated' }
  if (!verifyV1(parameters, merchant.key)) return { kind: 'refused', reason: 'the signature is wrong' }
  return eventOf(parameters)
}

/** Of the query or of the form, whichever the service uses; null when one is named twice, as then it is unclear which was signed. */
function parametersOf({ method, query, body }: CallbackRequest): Parameters | null {
  const sent = method === 'POST' && body.length > 0 ? new URLSearchParams(Buffer.from(body).toString('utf8')) : query
  const names = [...sent.keys()]
  if (new Set(names).size !== names.length) return null
  return Object.fromEntries(sent)
}

/** What verified parameters say. */
function eventOf(parameters: Parameters): CallbackReading {
  const { pid = '', out_trade_no: orderNumber = '', trade_no: providerNumber = '', money = '' } = parameters
  if (parameters['trade_status'] !== 'TRADE_SUCCESS') return { kind: 'ignored', reason: 'it is no successful payment' }
  const minor = minorOf(money, 'CNY')
  if (orderNumber === '' || minor === null) return { kind: 'refused', reason: 'the order or the money is missing' }
  const { sign: _sign, ...payload } = parameters
  return {
    kind: 'event',
    event: {
      id: `paid:${orderNumber}:${providerNumber}`,
      orderNumber,
      kind: 'paid',
      merchant: pid,
      minor,
      currency: 'CNY',
      ...(providerNumber !== '' && { providerNumber }),
    },
    payload: JSON.stringify(payload),
  }
}
