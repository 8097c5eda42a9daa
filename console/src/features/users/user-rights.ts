import { heldStanding, isWithinReach, mayTouch, role, userRoutes, userStatus } from '@tollgate/contract'

import type { Viewer } from '../../lib/api/session'

type KnownUser = userRoutes.KnownUser

export type RoleAction = 'promote' | 'demote' | 'enable' | 'disable' | 'delete'

/** What a viewer may do with an account. */
export interface UserRights {
  readonly mayEdit: boolean
  /** May see log and prices as the user does. */
  readonly mayView: boolean
  readonly mayRemoveFactors: boolean
  readonly mayWriteLimits: boolean
  readonly actions: ReadonlySet<RoleAction>
}

const noRights: UserRights = {
  mayEdit: false,
  mayView: false,
  mayRemoveFactors: false,
  mayWriteLimits: false,
  actions: new Set(),
}

/** Applies the server's rules, so that nothing is offered that it would refuse. A deleted account cannot be changed. */
export function rightsOver({ user: viewer, isRoot, grants, may }: Viewer, user: KnownUser): UserRights {
  if (!viewer || !userRoutes.isWhole(user) || user.DeletedAt !== null) return noRights
  const [own, target] = [heldStanding(viewer.role, grants), heldStanding(user.role, user.grants)]
  const mayView = user.id !== viewer.id && isWithinReach(own.rank, target.rank) && may('logs.read')
  if (!mayTouch(own, target)) return { ...noRights, mayView }
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
    mayView,
    mayEdit: may(['users.write', 'balances.write']),
    mayWriteLimits: may('users.write'),
    mayRemoveFactors: may('users.write') && user.has_second_factor && user.id !== viewer.id,
    actions: new Set(may('users.write') ? actions : []),
  }
}

/** What a viewer may do on the page, regardless of the user. */
export const pageRights = ({ may }: Viewer) => ({
  mayAdd: may('users.write'),
  mayMove: may('users.write'),
  mayCredit: may('balances.write'),
  mayReadLogs: may('logs.read'),
  mayWriteMessages: may('messages.write'),
})

/** Whether the status comes from older data and no action changes it. */
export const isStuck = ({ status }: userRoutes.UserEntity): boolean => status === 3
