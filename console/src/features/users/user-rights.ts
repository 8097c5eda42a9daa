import { role, userRoutes, userStatus } from '@tollgate/contract'

import type { Viewer } from '../../lib/session'

type KnownUser = userRoutes.KnownUser

export type RoleAction = 'promote' | 'demote' | 'enable' | 'disable' | 'delete'

/** What a viewer may do with an account. */
export interface UserRights {
  readonly mayEdit: boolean
  /** To see log and prices as the user does. */
  readonly mayView: boolean
  readonly actions: ReadonlySet<RoleAction>
}

const none: UserRights = { mayEdit: false, mayView: false, actions: new Set() }

/** Only a higher rank touches a lower one, nobody a closed account; the server decides again. */
export function rightsOver({ user: viewer, isRoot, may }: Viewer, user: KnownUser): UserRights {
  if (!userRoutes.isWhole(user)) return none
  const isWithinReach = viewer !== null && (isRoot || viewer.role > user.role)
  if (!isWithinReach || user.DeletedAt !== null) return none
  const isRootAccount = user.role >= role.root
  const possible: Readonly<Record<RoleAction, boolean>> = {
    promote: isRoot && user.role < role.admin,
    demote: user.role >= role.admin && !isRootAccount,
    disable: user.status === userStatus.enabled && !isRootAccount,
    enable: user.status !== userStatus.enabled,
    delete: !isRootAccount,
  }
  const actions = (Object.keys(possible) as RoleAction[]).filter((action) => possible[action])
  return {
    mayEdit: may(['users.write', 'balances.write']),
    mayView: user.id !== viewer.id && may('logs.read'),
    actions: new Set(may('users.write') ? actions : []),
  }
}

/** What a viewer may do on the page whoever the user is. */
export const pageRights = ({ may }: Viewer) => ({
  mayAdd: may('users.write'),
  mayMove: may('users.write'),
  mayCredit: may('balances.write'),
  mayReadLogs: may('logs.read'),
})

/** A status of older data that no action leads out of. */
export const isStuck = ({ status }: userRoutes.UserEntity): boolean => status === 3
