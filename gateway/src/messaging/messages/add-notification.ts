import type { Context } from '../../context'
import type { MailKindName, MailParams } from '../mail/mail-kinds'
import type { Transaction } from '../../platform/store/database'
import { reportEvent } from '../../platform/telemetry/events/report-event'
import type { OrderMovement } from '../../billing/payments/movement'
import { moneyText } from '../../billing/payments/currency'

/** What the gateway reports to users in their inbox: the kinds of mails about an account that contain nothing secret. */
export const notificationKinds = [
  'password-changed',
  'password-changed-by-admin',
  'address-changed',
  'new-device',
  'factor-added',
  'factor-removed',
  'factors-removed-by-admin',
  'recovery-codes-renewed',
  'identity-linked',
  'identity-unlinked',
  'low-balance',
  'limit-near',
  'plan-ended',
  'plan-not-renewed',
  'payment-received',
  'payment-refunded',
  'payment-disputed',
  'payment-restored',
  'operator-event',
] as const satisfies readonly MailKindName[]
export type NotificationKind = (typeof notificationKinds)[number]

/**
 * Puts a notification into a user's inbox, in the transaction of what it reports. Its facts are stored, and worded like the mail of this
 * kind, in the reader's language.
 */
export async function addNotification<Kind extends NotificationKind>(
  { clock }: Pick<Context, 'clock'>,
  userId: number,
  { kind, params }: { readonly kind: Kind; readonly params: MailParams<Kind> },
  transaction: Transaction,
): Promise<void> {
  const now = clock.seconds()
  const { id } = await transaction
    .insertInto('messages')
    .values({
      kind,
      params: JSON.stringify(params),
      title: '',
      content: '',
      format: 'markdown',
      created_by: 0,
      created_at: now,
      updated_at: now,
      audience: 'one',
      total_recipients: 1,
      expand_after: null,
      mail_after: null,
      deleted_at: null,
      due_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await transaction.insertInto('message_receipts').values({ message_id: id, user_id: userId, read_at: null }).execute()
}

const movementKinds = {
  'log.topped_up': 'payment-received',
  'log.top_up_refunded': 'payment-refunded',
  'log.top_up_disputed': 'payment-disputed',
  'log.top_up_restored': 'payment-restored',
} as const satisfies Record<OrderMovement['text'], NotificationKind>

/**
 * Sends messages about movements to the inbox of the order's owner, and reports disputes to operators, in the transaction that moves the
 * quota or establishes that it is final.
 */
export async function notifyPayer(
  parts: Pick<Context, 'clock'>,
  movements: readonly OrderMovement[],
  transaction: Transaction,
): Promise<void> {
  for (const { order, text, amount, minor } of movements) {
    const money = `${moneyText(minor, order.currency)} ${order.currency}`
    const params = { order: order.number, amount: money, quota: Math.abs(amount) }
    await addNotification(parts, order.user_id, { kind: movementKinds[text], params }, transaction)
    if (text !== 'log.top_up_disputed') continue
    const facts = { name: order.number, amount: money }
    await reportEvent(parts, { kind: 'payment-disputed', subject: order.number, facts }, transaction)
  }
}
