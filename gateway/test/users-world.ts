import { userRoutes } from '@tollgate/contract'

import { userHandlers } from '../src/console-api/users/users'
import type { DatabaseKind } from '../src/platform/store/database'
import { aCall, runHandler, aUser } from './calls'
import { createWorld } from './world'

const roles = { user: 1, admin: 10, root: 100 }

/** A super admin, an administrator and Ann, who owns 500, with the calls of user administration. */
export async function usersWorld(kind: DatabaseKind) {
  const world = await createWorld({ kind })
  const root = await aUser(world.ctx, { username: 'root', role: roles.root })
  const admin = await aUser(world.ctx, { username: 'admin', role: roles.admin })
  const ann = await aUser(world.ctx, { username: 'Ann', quota: 500 })
  type User = typeof ann
  const call = (caller: User, name: string, input: Parameters<typeof runHandler>[2] = {}) =>
    runHandler(userHandlers, name, input, aCall(world.ctx, { caller }))
  const list = async (caller: User, query: Record<string, string>) => {
    const page = await call(caller, 'GET /api/user/search', { query })
    return userRoutes.searchUsers.data?.parse(page).items.map(({ username }) => username)
  }
  return {
    ctx: world.ctx,
    root,
    admin,
    ann,
    ask: call,
    list,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}
