import { userRoutes } from '@tollgate/contract'

import { handler, type Handler } from '../../http/handler'
import { createUser } from './create-user'
import { findUsers, oneUser } from './find-users'
import { deleteUser, manageUser } from './manage-user'
import { updateUser } from './update-user'

export const userHandlers: readonly Handler[] = [
  handler(userRoutes.listUsers, ({ query: { p, page_size, size } }, { ctx, caller }) =>
    findUsers(ctx, caller, { p, page_size, size }),
  ),
  handler(userRoutes.searchUsers, ({ query }, { ctx, caller }) => findUsers(ctx, caller, query)),
  handler(userRoutes.getUser, ({ params }, { ctx, caller }) => oneUser(ctx, caller, params.id)),
  handler(userRoutes.createUser, ({ body }, call) => createUser(body, call)),
  handler(userRoutes.updateUser, ({ body }, call) => updateUser(body, call)),
  handler(userRoutes.manageUser, ({ body }, call) => manageUser(body, call)),
  handler(userRoutes.deleteUser, async ({ params }, call) => {
    await deleteUser(params.id, call)
    return undefined
  }),
]
