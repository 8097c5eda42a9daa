import type { OrderRow } from '../../store/tables'
import { moneyText } from '../currency'
import type { PaymentParts, Refund, RefundAnswer } from '../provider'
import { callService } from './call-service'
import type { Merchant } from './merchant'

/** Requests a refund from the service. */
export async function refundByService(
  order: OrderRow,
  { number, minor }: Refund,
  merchant: Merchant,
  parts: PaymentParts,
): Promise<RefundAnswer> {
  const money = moneyText(minor, order.currency)
  const answer = await callService(parts, merchant, 'refund', {
    ...(order.provider_number === '' ? { out_trade_no: order.number } : { trade_no: order.provider_number }),
    ...(merchant.protocol.version === 2 && { out_refund_no: number }),
    money,
  })
  if (answer.kind !== 'answer') return { kind: answer.kind === 'unsupported' ? 'unsupported' : 'uncertain' }
  return answer.isDone ? { kind: 'refunded' } : { kind: 'refused', reason: answer.members['msg'] ?? '' }
}
