import { role, type RouteInput, type userRoutes } from '@tollgate/contract'

import { addMember } from '../../accounts/users/add-member'
import { checkedDisplayName, checkedUsername, hashedPassword } from '../../accounts/users/credentials'
import type { Call } from '../../http/handler'
import { oneUser } from './find-users'
import { checkGivenRole } from './rank'

type Body = RouteInput<typeof userRoutes.createUser>['body']

/**
 * Creates a user of a lower role, who gets the initial quota once.
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
  }
  const { userId } = await ctx.database.query.transaction().execute((transaction) => addMember(ctx, user, transaction))
  return oneUser(ctx, userId)
}
