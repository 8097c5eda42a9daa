import { daySeconds } from '@tollgate/contract'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'

const idBytes = 16
/** How long delivery is attempted; after that it is useless. */
export const deliverySeconds = daySeconds

type Deps = Pick<Context, 'clock' | 'random' | 'changes'>

/** What a receiver gets, besides the time. */
interface QueuedNotice {
  readonly type: string
}

/**
 * Queues a notice for a webhook, in the transaction of what it reports. One worker delivers it within a second of the commit, and retries
 * later where the receiver does not accept it. Call `changes.deliver` after the commit. Resolves with its id.
 */
export async function queueWebhook(
  { clock, random, changes }: Deps,
  { userId, url, notice }: { readonly userId: number; readonly url: string; readonly notice: QueuedNotice },
  transaction: Transaction,
): Promise<string> {
  const now = clock.seconds()
  const id = Buffer.from(random.bytes(idBytes)).toString('hex')
  await transaction
    .insertInto('webhook_deliveries')
    .values({
      id,
      user_id: userId,
      type: notice.type,
      url,
      body: JSON.stringify({ ...notice, timestamp: now }),
      created_at: now,
      expires_at: now + deliverySeconds,
      due_at: now,
      delivered_at: null,
      attempted_at: null,
      status: null,
      duration_ms: null,
    })
    .execute()
  await changes.announce({ topic: 'webhook', refId: 0 }, transaction)
  return id
}
