import type { Context } from '../context'
import { tell } from '../messages/tell'
import type { Transaction } from '../store/database'
import type { Movement } from './after-movements'
import { moneyText } from './currency'

const kinds = { 'log.topped_up': 'payment-received', 'log.top_up_refunded': 'payment-refunded' } as const

const isTold = (text: Movement['text']): text is keyof typeof kinds => text in kinds

/** Leaves messages about payments and refunds in the payer's inbox, in the transaction that moves the quota. */
export async function tellPayer(
  parts: Pick<Context, 'clock'>,
  movements: readonly Movement[],
  transaction: Transaction,
): Promise<void> {
  for (const { order, text, amount, minor } of movements) {
    if (!isTold(text)) continue
    const { username } = await transaction
      .selectFrom('users')
      .select('username')
      .where('id', '=', order.user_id)
      .executeTakeFirstOrThrow()
    const money = `${moneyText(minor, order.currency)} ${order.currency}`
    const params = { username, order: order.number, amount: money, quota: Math.abs(amount) }
    await tell(parts, order.user_id, { kind: kinds[text], params }, transaction)
  }
}
