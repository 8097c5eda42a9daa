import type { Context } from '../context'
import type { Transaction } from '../store/database'
import { mailKinds, type MailKindName, type MailParams } from './mail-kinds'

export interface QueuedMail<Kind extends MailKindName> {
  readonly kind: Kind
  /** Checked already. */
  readonly to: string
  readonly language: 'zh' | 'en'
  readonly params: MailParams<Kind>
}

const idBytes = 16

/**
 * Have a mail sent, in the transaction of what it tells of. One worker sends it within a second of the commit, and tries again
 * later where the mail server cannot be reached. Call `changes.deliver` after the commit.
 */
export async function queueMail<Kind extends MailKindName>(
  { clock, random, changes }: Pick<Context, 'clock' | 'random' | 'changes'>,
  { kind, to, language, params }: QueuedMail<Kind>,
  transaction: Transaction,
): Promise<void> {
  const now = Math.floor(clock.now() / 1000)
  await transaction
    .insertInto('mails')
    .values({
      id: Buffer.from(random.bytes(idBytes)).toString('hex'),
      kind,
      recipient: to,
      language,
      params: JSON.stringify(params),
      created_at: now,
      expires_at: now + mailKinds[kind].seconds,
      due_at: now,
      sent_at: null,
    })
    .execute()
  await changes.announce({ topic: 'mail', refId: 0 }, transaction)
}
