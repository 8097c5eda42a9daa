import type { JsonObject } from '@tollgate/dialects'

import type { Context } from '../context'
import type { Language } from '../http/language'
import { shownText } from '../platform/locales/sentence'
import { queueWebhook } from '../messaging/notices/webhooks'
import type { Transaction } from '../platform/store/database'
import type { TaskRow } from '../platform/store/tables'
import { drawingShape } from './drawing-shape'
import { songShape, taskView } from './task-view'
import { readObject } from './task-store'
import type { TaskTerms } from './task-terms'

type Deps = Pick<Context, 'catalog' | 'clock' | 'random' | 'changes'>

/**
 * Queues the webhook that tells the owner of a task's end, in the transaction of that end: it is delivered with retries, signed with the
 * owner's secret. Does nothing where none is wanted. Call `changes.deliver` after the commit.
 */
export async function queueTaskWebhook(
  deps: Deps,
  task: TaskRow,
  { webhook: url }: TaskTerms,
  transaction: Transaction,
): Promise<void> {
  if (url === '') return
  const notice = { type: 'task', ...noticeOf(task, deps) }
  await queueWebhook(deps, { userId: task.user_id, url, notice }, transaction)
}

/** Returns a task in the form in which clients of its platform fetch it. */
function noticeOf(task: TaskRow, { catalog }: Deps): JsonObject {
  const language: Language = readObject(task.request)['language'] === 'zh' ? 'zh' : 'en'
  const { ServerAddress: site, MjForwardUrlEnabled: isForwarded } = catalog.current.options
  if (task.platform === 'mj') return drawingShape(task, { site, isForwarded, language })
  if (task.platform === 'suno') return songShape(task, language)
  const view = taskView(task)
  return { task: { ...view, fail_reason: shownText(view.fail_reason, language) } }
}
