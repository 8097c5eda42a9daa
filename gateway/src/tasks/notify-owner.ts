import type { Context } from '../context'
import { queueWebhook } from '../notices/queue-webhook'
import type { Transaction } from '../store/database'
import type { TaskRow } from '../store/tables'
import { taskView } from './task-view'
import type { TaskTerms } from './task-terms'

/**
 * Queues the webhook that tells the owner of a task's end, in the transaction of that end: it is delivered with retries, signed with the
 * owner's secret. Does nothing where none is wanted. Call `changes.deliver` after the commit.
 */
export async function notifyOwner(
  parts: Pick<Context, 'clock' | 'random' | 'changes'>,
  task: TaskRow,
  { webhook: url }: TaskTerms,
  transaction: Transaction,
): Promise<void> {
  if (url === '') return
  const notice = { type: 'task', task: taskView(task) }
  await queueWebhook(parts, { userId: task.user_id, url, notice }, transaction)
}
