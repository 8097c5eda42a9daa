import type { OrderRow } from '../../../platform/store/tables'
import { minorOf } from '../currency'
import type { PaymentParts, ProviderAnswer } from '../provider'
import { callService } from './call-service'
import type { Merchant } from './merchant'
import { paidEvent } from './read-notification'

/** Services use 1 for paid; refunded or frozen orders have other numbers. */
const paid = '1'

/** Queries the service whether an order is paid. */
export async function askService(order: OrderRow, merchant: Merchant, parts: PaymentParts): Promise<ProviderAnswer> {
  const answer = await callService(parts, merchant, 'order', { out_trade_no: order.number })
  if (answer.kind !== 'answer') return { kind: answer.kind }
  const { members } = answer
  // An order whose page was never opened is not known there.
  if (!answer.isDone || members['status'] !== paid) return { kind: 'pending' }
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
