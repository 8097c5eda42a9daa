import { hasEnded, type Grant, type RouteInput, type taskRoutes } from '@tollgate/contract'

import { AppError } from '../../app-error'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { FileAnswer } from '../../http/file-answer'
import type { Call } from '../../http/handler'
import { openResult } from '../../tasks/open-result'
import { readResults, taskByPublicId } from '../../tasks/task-store'

type Wanted = RouteInput<typeof taskRoutes.openTaskResult>['params']

/** What opens the tasks of others. */
const reader: Grant = 'logs.read'

/**
 * Resolves with a picture, sound or film as it comes from the vendor. The elements of a page that show it send no header with the user.
 * @throws AppError `auth.required`, `task.result_none`, also for tasks that the caller may not see, `upstream.failed`.
 */
export async function openTaskResult(
  { id, kind, place }: Wanted,
  { ctx, caller, request }: Call<'optional'>,
): Promise<FileAnswer> {
  if (!caller) throw new AppError('auth.required')
  const row = await taskByPublicId(ctx.database.query, id)
  const isOwn = row?.user_id === caller.userId && row.deleted_at === null
  const result = row && readResults(row).filter((one) => one.kind === kind)[place]
  if (!result || !(isOwn || caller.grants.has(reader))) throw new AppError('task.result_none', { params: { id } })
  try {
    const opened = await openResult(ctx, row, result, request.headers.get('range'))
    return { name: `${id}-${place + 1}`, body: opened.body, shown: { ...opened, isLasting: hasEnded(row) } }
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause
    throw new AppError('upstream.failed', { params: { status: cause.status }, cause })
  }
}
