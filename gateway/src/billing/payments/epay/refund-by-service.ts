import type { OrderRow } from '../../../platform/store/tables'
import { moneyText } from '../currency'
import type { PaymentParts, Refund, RefundAnswer } from '../provider'
import { callService } from './call-service'
import type { Merchant } from './merchant'

/**
 * Requests a refund from the service. A repeated one is the same to version 2 by its number, but what such a service refuses it may have made
 * before. Version 1 has no numbers of refunds and is not asked again.
 */
export async function refundByService(
  order: OrderRow,
  { number, minor, isRepeated }: Refund,
  merchant: Merchant,
  parts: PaymentParts,
): Promise<RefundAnswer> {
  if (isRepeated && merchant.protocol.version === 1) return { kind: 'uncertain' }
  const money = moneyText(minor, order.currency)
  const answer = await callService(parts, merchant, 'refund', {
    ...(order.provider_number === '' ? { out_trade_no: order.number } : { trade_no: order.provider_number }),
    ...(merchant.protocol.version === 2 && { out_refund_no: number }),
    money,
  })
  if (answer.kind !== 'answer') return { kind: answer.kind === 'unsupported' ? 'unsupported' : 'uncertain' }
  if (!answer.isDone && isRepeated) return { kind: 'uncertain' }
  return answer.isDone ? { kind: 'refunded' } : { kind: 'refused', reason: answer.members['msg'] ?? '' }
}
