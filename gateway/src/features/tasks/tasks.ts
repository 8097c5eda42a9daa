import { pageOf, taskRoutes } from '@tollgate/contract'

import { userIdOf } from '../../accounts/users/user-id-of'
import { AppError } from '../../app-error'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import type { TaskRow } from '../../store/tables'
import { cancelTask } from '../../tasks/cancel-task'
import { findTasks, type ListedTask } from './find-tasks'
import { openTaskResult } from './open-task-result'
import { drawingEntity, ownDrawing, ownTask, taskEntity } from './task-entity'
import { drawingFilter, taskFilter, type TaskFilter } from './task-filter'

interface ListQuery {
  readonly query: Parameters<typeof pageOf>[0]
  readonly filter: TaskFilter
}

async function listed<Entity>(
  { database }: Context,
  { query, filter }: ListQuery,
  entity: (row: ListedTask) => Entity,
) {
  const page = pageOf(query, 0)
  const { rows, total, isTotalLowerBound } = await findTasks(database.query, filter, page)
  return {
    items: rows.map(entity),
    page: page.page,
    page_size: page.size,
    total,
    total_is_lower_bound: isTotalLowerBound,
  }
}

async function anyOwner({ database }: Context, { username }: { readonly username?: string | undefined }) {
  return { userId: await userIdOf(database.query, username), isOwn: false }
}

export const taskHandlers: readonly Handler[] = [
  handler(taskRoutes.listDrawings, async ({ query }, { ctx, language }) => {
    const filter = drawingFilter(query, await anyOwner(ctx, query))
    return listed(ctx, { query, filter }, (row) => drawingEntity(row, { ctx, language }))
  }),
  handler(taskRoutes.listOwnDrawings, ({ query }, { ctx, caller: { userId }, language }) => {
    const filter = drawingFilter(query, { userId, isOwn: true })
    return listed(ctx, { query, filter }, (row) => ownDrawing(row, { ctx, language }))
  }),
  handler(taskRoutes.listTasks, async ({ query }, { ctx, language }) => {
    const filter = taskFilter(query, await anyOwner(ctx, query))
    return listed(ctx, { query, filter }, (row) => taskEntity(row, { ctx, language }))
  }),
  handler(taskRoutes.listOwnTasks, ({ query }, { ctx, caller: { userId }, language }) => {
    const filter = taskFilter(query, { userId, isOwn: true })
    return listed(ctx, { query, filter }, (row) => ownTask(row, { ctx, language }))
  }),
  handler(taskRoutes.cancelTask, async ({ params: { id } }, { ctx, audit }) => {
    const row = await requireTask(ctx, id)
    audit.on('user', row.user_id, row.username)
    audit.changed({}, { task: row.public_id })
    return stopped(ctx, row)
  }),
  handler(taskRoutes.cancelOwnTask, async ({ params: { id } }, { ctx, caller: { userId }, audit }) => {
    const row = await requireTask(ctx, id, userId)
    audit.changed({}, { task: row.public_id })
    return stopped(ctx, row)
  }),
  handler(taskRoutes.openTaskResult, ({ params }, call) => openTaskResult(params, call)),
]

/** @throws AppError `task.none`, also for a task of another user where an owner is given. */
async function requireTask({ database }: Context, id: number, ownerId?: number): Promise<TaskRow> {
  const row = await database.query.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || (ownerId !== undefined && (row.user_id !== ownerId || row.deleted_at !== null)))
    throw new AppError('task.none', { params: { id } })
  return row
}

/** @throws AppError `task.ended`, `task.cancel_unsupported`, `upstream.failed`. */
async function stopped(ctx: Context, row: TaskRow): Promise<undefined> {
  try {
    await cancelTask(ctx, row)
    return undefined
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause
    throw new AppError('upstream.failed', { params: { status: cause.status }, cause })
  }
}
