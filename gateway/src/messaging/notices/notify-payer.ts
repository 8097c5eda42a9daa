import type { Context } from '../../context'
import { reportEvent } from '../../platform/telemetry/events/report-event'
import { addNotification, type NotificationKind } from '../messages/add-notification'
import type { Transaction } from '../../platform/store/database'
import type { Movement } from '../../billing/payments/movement'
import { moneyText } from '../../billing/payments/currency'

const kinds = {
  'log.topped_up': 'payment-received',
  'log.top_up_refunded': 'payment-refunded',
  'log.top_up_disputed': 'payment-disputed',
  'log.top_up_restored': 'payment-restored',
} as const satisfies Record<Movement['text'], NotificationKind>

/**
 * Sends messages about movements to the inbox of the order's owner, and reports disputes to operators, in the transaction that moves the
 * quota or establishes that it is final.
 */
export async function notifyPayer(
  parts: Pick<Context, 'clock'>,
  movements: readonly Movement[],
  transaction: Transaction,
): Promise<void> {
  for (const { order, text, amount, minor } of movements) {
    const money = `${moneyText(minor, order.currency)} ${order.currency}`
    const params = { order: order.number, amount: money, quota: Math.abs(amount) }
    await addNotification(parts, order.user_id, { kind: kinds[text], params }, transaction)
    if (text !== 'log.top_up_disputed') continue
    const facts = { name: order.number, amount: money }
    await reportEvent(parts, { kind: 'payment-disputed', subject: order.number, facts }, transaction)
  }
}
