import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import { mailKinds, type MailKindName, type MailParams } from './mail-kinds'
import { randomHex } from '../../platform/random'

export interface QueuedMail<Kind extends MailKindName> {
  readonly kind: Kind
  /** Validated already. */
  readonly to: string
  readonly language: 'zh' | 'en'
  readonly params: MailParams<Kind>
}

const idBytes = 16

type Deps = Pick<Context, 'clock' | 'random' | 'changes'>

/**
 * Queues a mail, in the transaction of what it reports. One worker sends it within a second of the commit, and retries later where the
 * mail server cannot be reached. Call `changes.deliver` after the commit.
 */
export const queueMail = <Kind extends MailKindName>(
  parts: Deps,
  mail: QueuedMail<Kind>,
  transaction: Transaction,
): Promise<void> => queueMails(parts, [mail], transaction)

/** Queues several mails at once; at least one. */
export async function queueMails<Kind extends MailKindName>(
  { clock, random, changes }: Deps,
  mails: readonly QueuedMail<Kind>[],
  transaction: Transaction,
): Promise<void> {
  const now = clock.seconds()
  const rows = mails.map(({ kind, to, language, params }) => ({
    id: randomHex(random, idBytes),
    kind,
    recipient: to,
    language,
    params: JSON.stringify(params),
    created_at: now,
    expires_at: now + mailKinds[kind].seconds,
    due_at: now,
    sent_at: null,
  }))
  await transaction.insertInto('mails').values(rows).execute()
  await changes.announce({ topic: 'mail', refId: 0 }, transaction)
}

/** Resolves with the number of queued mails of a kind. */
export async function waitingMails(query: Queries, kind: MailKindName): Promise<number> {
  const { count } = await query
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('due_at', 'is not', null)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return count
}
