import { hasEnded, type RouteInput, type taskRoutes } from '@tollgate/contract'

import { readableOwners } from '../../accounts/users/standing'
import { AppError } from '../../platform/app-error'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { Context } from '../../context'
import type { FileResult } from '../../http/response/file-response'
import type { Call, Caller } from '../../http/handler'
import type { TaskRow } from '../../platform/store/tables'
import { openResult } from '../../tasks/open-result'
import { readResults, taskByPublicId } from '../../tasks/task-store'

type ResultParams = RouteInput<typeof taskRoutes.openTaskResult>['params']

/**
 * Resolves with a picture, sound or film as it comes from the vendor. The elements of a page that show it send no header with the user.
 * @throws AppError `auth.required`, `task.result_none`, also for tasks that the caller may not see, `upstream.failed`.
 */
export async function openTaskResult(
  { id, kind, index }: ResultParams,
  { ctx, caller, request }: Call<'optional'>,
): Promise<FileResult> {
  if (!caller) throw new AppError('auth.required')
  const row = await taskByPublicId(ctx.database.query, id)
  const result = row && readResults(row).filter((one) => one.kind === kind)[index]
  if (!result || !(await mayOpen(ctx, row, caller))) throw new AppError('task.result_none', { params: { id } })
  try {
    const opened = await openResult(ctx, row, result, request.headers.get('range'))
    return { name: `${id}-${index + 1}`, body: opened.body, shown: { ...opened, isLasting: hasEnded(row) } }
  } catch (cause) {
    throw refusalOfVendor(cause)
  }
}

/** Returns what a vendor's refusal is to the console; any other error as it is. */
export const refusalOfVendor = (cause: unknown): unknown =>
  cause instanceof UpstreamError ? new AppError('upstream.failed', { params: { status: cause.status }, cause }) : cause

/** The owner, unless the task was removed; readers of all tasks as in their lists. */
async function mayOpen({ database: { query } }: Context, row: TaskRow, caller: Caller): Promise<boolean> {
  if (caller.grants.has('logs.read')) return (await readableOwners(query, [row.user_id], caller)).has(row.user_id)
  return row.user_id === caller.userId && row.deleted_at === null
}
