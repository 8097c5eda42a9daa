import type { Context } from '../../context'
import type { MailKindName, MailParams } from '../mail/mail-kinds'
import type { Transaction } from '../../platform/store/database'

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
