import { mayTouch, role, type ErrorCode, type Standing } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'

/** @throws AppError with `code` when the target is out of the caller's reach: see `mayTouch`. */
export function refuseOutOfReach(caller: Standing, target: Standing, code: ErrorCode): void {
  if (!mayTouch(caller, target)) throw new AppError(code)
}

export type RoleAction = 'promote' | 'demote' | 'enable' | 'disable' | 'delete'

/**
 * Checks whether a caller may do this to a target. The rank rule comes first.
 * @throws AppError `user.rank_edit`, `root.disable`, `root.delete`, `root.demote`, `promote.root_only`, `promote.already`,
 * `demote.already`.
 */
export function checkAction(action: RoleAction, caller: Standing, target: Standing): void {
  refuseOutOfReach(caller, target, 'user.rank_edit')
  const refusal = refusals[action](caller.rank, target.rank)
  if (refusal) throw new AppError(refusal)
}

const refusals: Record<RoleAction, (callerRank: number, targetRank: number) => ErrorCode | null> = {
  enable: () => null,
  disable: (_, target) => (target >= role.root ? 'root.disable' : null),
  delete: (_, target) => (target >= role.root ? 'root.delete' : null),
  demote: (_, target) => {
    if (target >= role.root) return 'root.demote'
    return target < role.admin ? 'demote.already' : null
  },
  promote: (caller, target) => {
    if (caller < role.root) return 'promote.root_only'
    return target >= role.admin ? 'promote.already' : null
  },
}

const givable = new Set<number>([role.user, role.admin])

/**
 * Checks a role that is about to be given: the role of a user requires `users.write`, that of an administrator `rights.write`.
 * @throws AppError with `code` when it is not lower, `param.invalid` when there is no such role.
 */
export function checkGivenRole(caller: Standing, newRole: number, code: 'user.rank_raise' | 'user.rank_create'): void {
  if (newRole >= caller.rank || (newRole >= role.admin && !caller.grants.has('rights.write'))) throw new AppError(code)
  if (!givable.has(newRole)) throw new AppError('param.invalid', { params: { field: 'role' } })
}
