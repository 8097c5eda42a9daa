import { userRoutes } from '@tollgate/contract'

import { auditUser, passwordSet } from '../../accounts/users/audit-user'
import { handler, type Handler } from '../../http/handler'
import { changeUsers } from './change-users'
import { createUser } from './create-user'
import { exportUsers } from './export-users'
import { findUsers, readUser } from './find-users'
import { deleteUser, manageUser } from './manage-user'
import { removeUserFactors } from './remove-factors'
import { setGrants } from './set-grants'
import { updateUser } from './update-user'
import { usersUsage } from './users-usage'

export const userHandlers: readonly Handler[] = [
  handler(userRoutes.listUsers, ({ query }, { ctx, caller }) => findUsers(ctx, caller, query)),
  handler(userRoutes.searchUsers, ({ query }, { ctx, caller }) => findUsers(ctx, caller, query)),
  handler(userRoutes.exportUsers, ({ query }, call) => exportUsers(query, call)),
  handler(userRoutes.usersUsage, ({ query }, { ctx, caller }) => usersUsage(query.ids, ctx, caller)),
  handler(userRoutes.getUser, ({ params }, { ctx, caller }) => readUser(ctx, caller, params.id)),
  handler(userRoutes.createUser, async ({ body }, call) => {
    const user = await createUser(body, call)
    call.audit.target('user', user.id, user.username)
    call.audit.changed({}, { role: user.role, group: user.group, quota: user.quota })
    return user
  }),
  handler(userRoutes.updateUser, ({ body }, call) => {
    if (body.password) call.audit.changed({}, passwordSet)
    if (body.reason) call.audit.changed({}, { reason: body.reason })
    return auditUser(call, { userId: body.id, hasQuota: body.quota !== undefined }, () => updateUser(body, call))
  }),
  handler(userRoutes.manageUser, ({ body }, call) => {
    call.audit.changed({}, { action: body.action, ...(body.reason && { reason: body.reason }) })
    const compared = { userId: body.id, hasQuota: body.action === 'add_quota' }
    return auditUser(call, compared, () => manageUser(body, call))
  }),
  handler(userRoutes.changeUsers, ({ body }, call) => changeUsers(body, call)),
  handler(userRoutes.setGrants, ({ params, body }, call) =>
    auditUser(call, { userId: params.id }, () => setGrants(params.id, body.grants, call)),
  ),
  handler(userRoutes.removeFactors, ({ params, body }, call) => removeUserFactors(params.id, body.reason, call)),
  handler(userRoutes.deleteUser, ({ params }, call) =>
    auditUser(call, { userId: params.id }, async () => {
      await deleteUser(params.id, call)
      return undefined
    }),
  ),
]
