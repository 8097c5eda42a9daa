import { pageOf, taskRoutes } from '@tollgate/contract'

import { userIdOf } from '../../accounts/users/user-id-of'
import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import { findTasks, type ListedTask } from './find-tasks'
import { drawingEntity, ownDrawing, ownTask, taskEntity } from './task-entity'
import { drawingFilter, taskFilter, type TaskFilter } from './task-filter'

interface Asked {
  readonly query: Parameters<typeof pageOf>[0]
  readonly filter: TaskFilter
}

async function listed<Entity>({ database }: Context, { query, filter }: Asked, entity: (row: ListedTask) => Entity) {
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
    return listed(ctx, { query, filter }, (row) => drawingEntity(row, language))
  }),
  handler(taskRoutes.listOwnDrawings, ({ query }, { ctx, caller: { userId }, language }) => {
    const filter = drawingFilter(query, { userId, isOwn: true })
    return listed(ctx, { query, filter }, (row) => ownDrawing(row, language))
  }),
  handler(taskRoutes.listTasks, async ({ query }, { ctx, language }) => {
    const filter = taskFilter(query, await anyOwner(ctx, query))
    return listed(ctx, { query, filter }, (row) => taskEntity(row, language))
  }),
  handler(taskRoutes.listOwnTasks, ({ query }, { ctx, caller: { userId }, language }) => {
    const filter = taskFilter(query, { userId, isOwn: true })
    return listed(ctx, { query, filter }, (row) => ownTask(row, language))
  }),
]
