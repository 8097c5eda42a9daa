import { role, type RouteInput, type userRoutes } from '@tollgate/contract'

import { checkedDisplayName, checkedUsername, hashedPassword } from '../../accounts/credentials'
import { insertUser } from '../../accounts/insert-user'
import type { Call } from '../../http/handler'
import { oneUser } from './find-users'
import { checkGivenRole } from './rank'

type Body = RouteInput<typeof userRoutes.createUser>['body']

/**
 * Create a user of a lower role, who gets the quota of a new user once.
 * @throws AppError `user.username`, `user.password`, `user.exists`, `user.rank_create`.
 */
export async function createUser(body: Body, call: Call<'user'>): Promise<userRoutes.UserEntity> {
  const { ctx, caller } = call
  const username = checkedUsername(body.username)
  const givenRole = body.role ?? role.user
  checkGivenRole(caller, givenRole, 'user.rank_create')
  const user = {
    username,
    displayName: checkedDisplayName(body.display_name, username),
    passwordHash: await hashedPassword(body.password),
    role: givenRole,
    createdAt: Math.floor(ctx.clock.now() / 1000),
  }
  const { QuotaForNewUser: amount } = ctx.catalog.current.options
  const userId = await ctx.database.query.transaction().execute(async (transaction) => {
    const id = await insertUser(user, ctx.random, transaction)
    const credit = { id: `registration:${id}`, userId: id, kind: 'registration', amount } as const
    if (amount > 0) await ctx.ledger.credit(credit, transaction)
    return id
  })
  return oneUser(ctx, userId)
}
