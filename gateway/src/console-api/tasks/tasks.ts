import { isWithinReach, pageOf, taskRoutes } from '@tollgate/contract'

import { readableOwners, standingOf } from '../../accounts/users/standing'
import { userIdOf } from '../../accounts/users/usernames'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { handler, type Caller, type Handler } from '../../http/handler'
import type { TaskRow } from '../../platform/store/tables'
import { cancelTask } from '../../tasks/cancel-task'
import { findTasks, type ListedTask } from './find-tasks'
import { openTaskResult, refusalOfVendor } from './open-task-result'
import { drawingEntity, ownDrawing, ownTask, taskEntity } from './task-entity'
import { drawingFilter, taskFilter, type TaskFilter } from './task-filter'

interface ListQuery {
  readonly query: Parameters<typeof pageOf>[0]
  readonly filter: TaskFilter
  /** The reader of the tasks of all users; null: the tasks are the caller's own. */
  readonly reader: Caller | null
}

async function listEntities<Entity>(
  ctx: Context,
  { query, filter, reader }: ListQuery,
  entity: (row: ListedTask) => Entity,
) {
  const page = pageOf(query, 0)
  const { rows, total, isTotalLowerBound } = await findTasks(ctx.database.query, filter, page)
  const shown = reader === null ? rows : await readBy(reader, ctx, rows)
  return {
    items: shown.map(entity),
    page: page.page,
    page_size: page.size,
    total,
    total_is_lower_bound: isTotalLowerBound,
  }
}

/** Resolves with tasks of all users as their reader may see them: without what some of their owners wrote and made. */
async function readBy(caller: Caller, { database }: Context, rows: readonly ListedTask[]): Promise<ListedTask[]> {
  const ids = rows.map((row) => row.user_id)
  const owners = await readableOwners(database.query, ids, caller)
  return rows.map((row) => (owners.has(row.user_id) ? row : { ...row, ...noContent }))
}

const noContent = { prompt: '', prompt_en: '', results: '[]', request: '{}', data: '{}' }

async function anyOwner({ database }: Context, { username }: { readonly username?: string | undefined }) {
  return { userId: await userIdOf(database.query, username), isOwn: false }
}

export const taskHandlers: readonly Handler[] = [
  handler(taskRoutes.listDrawings, async ({ query }, { ctx, caller, language }) => {
    const filter = drawingFilter(query, await anyOwner(ctx, query))
    return listEntities(ctx, { query, filter, reader: caller }, (row) => drawingEntity(row, { ctx, language }))
  }),
  handler(taskRoutes.listOwnDrawings, ({ query }, { ctx, caller: { userId }, language }) => {
    const filter = drawingFilter(query, { userId, isOwn: true })
    return listEntities(ctx, { query, filter, reader: null }, (row) => ownDrawing(row, { ctx, language }))
  }),
  handler(taskRoutes.listTasks, async ({ query }, { ctx, caller, language }) => {
    const filter = taskFilter(query, await anyOwner(ctx, query))
    return listEntities(ctx, { query, filter, reader: caller }, (row) => taskEntity(row, { ctx, language }))
  }),
  handler(taskRoutes.listOwnTasks, ({ query }, { ctx, caller: { userId }, language }) => {
    const filter = taskFilter(query, { userId, isOwn: true })
    return listEntities(ctx, { query, filter, reader: null }, (row) => ownTask(row, { ctx, language }))
  }),
  handler(taskRoutes.cancelTask, async ({ params: { id } }, { ctx, caller, audit }) => {
    const row = await requireTask(ctx, id)
    audit.target('user', row.user_id, row.username)
    await requireReach(ctx, row, caller)
    audit.recordChange({}, { task: row.public_id })
    return stopTask(ctx, row)
  }),
  handler(taskRoutes.cancelOwnTask, async ({ params: { id } }, { ctx, caller: { userId }, audit }) => {
    const row = await requireTask(ctx, id, userId)
    audit.recordChange({}, { task: row.public_id })
    return stopTask(ctx, row)
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

/** @throws AppError `auth.forbidden` for a task of another user of the same or a higher rank. */
async function requireReach({ database: { query } }: Context, { user_id: ownerId }: TaskRow, caller: Caller) {
  const owner = await query.selectFrom('users').select(['role', 'grants']).where('id', '=', ownerId).executeTakeFirst()
  if (owner && ownerId !== caller.userId && !isWithinReach(caller.rank, standingOf(owner).rank))
    throw new AppError('auth.forbidden')
}

/** @throws AppError `task.ended`, `task.cancel_unsupported`, `upstream.failed`. */
async function stopTask(ctx: Context, row: TaskRow): Promise<undefined> {
  try {
    await cancelTask(ctx, row)
    return undefined
  } catch (cause) {
    throw refusalOfVendor(cause)
  }
}
