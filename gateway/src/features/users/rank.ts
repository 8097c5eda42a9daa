import { role, type ErrorCode } from '@tollgate/contract'

import { isWithinReach } from '../../accounts/reach'
import { AppError } from '../../app-error'

/** @throws AppError with `code` when the target's role is out of the caller's reach. */
export function refuseOutOfReach(callerRole: number, targetRole: number, code: ErrorCode): void {
  if (!isWithinReach(callerRole, targetRole)) throw new AppError(code)
}

export type RoleAction = 'promote' | 'demote' | 'enable' | 'disable' | 'delete'

/**
 * Whether a caller may do this to a target of that role. The rank rule comes first.
 * @throws AppError `user.rank_edit`, `root.disable`, `root.delete`, `root.demote`, `promote.root_only`, `promote.already`, `demote.already`.
 */
export function checkAction(action: RoleAction, callerRole: number, targetRole: number): void {
  refuseOutOfReach(callerRole, targetRole, 'user.rank_edit')
  const refusal = refusals[action](callerRole, targetRole)
  if (refusal) throw new AppError(refusal)
}

const refusals: Record<RoleAction, (callerRole: number, targetRole: number) => ErrorCode | null> = {
  enable: () => null,
  disable: (_, target) => (target >= role.root ? 'root.disable' : null),
  delete: (_, target) => (target >= role.root ? 'root.delete' : null),
  demote: (_, target) => {
    if (target >= role.root) return 'root.demote'
    return target === role.user ? 'demote.already' : null
  },
  promote: (caller, target) => {
    if (caller < role.root) return 'promote.root_only'
    return target >= role.admin ? 'promote.already' : null
  },
}

const givable = new Set<number>([role.user, role.admin])

/**
 * A role that may be given to someone: a user's or an admin's, and lower than the caller's.
 * @throws AppError with `code` when it is not lower, `param.invalid` when there is no such role.
 */
export function checkGivenRole(callerRole: number, given: number, code: 'user.rank_raise' | 'user.rank_create'): void {
  if (given >= callerRole) throw new AppError(code)
  if (!givable.has(given)) throw new AppError('param.invalid', { params: { field: 'role' } })
}
