import { describe, expect, test } from 'bun:test'

import { isWithinReach, type ErrorCode, type Standing } from '@tollgate/contract'

import { standingOf } from '../../accounts/users/standing'
import { AppError } from '../../platform/app-error'
import { checkAction, checkGivenRole, refuseOutOfReach, type RoleAction } from './rank'

/** Returns the code of a refusal; null when it is allowed. */
function refusal(attempt: () => void): ErrorCode | null {
  try {
    attempt()
    return null
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

const standing = (role: number, grants: string | null = null) => standingOf({ role, grants })

const user = 1
const admin = 10
const root = 100

describe('who may change whom', () => {
  test.each([
    [user, user, false],
    [admin, user, true],
    [admin, admin, false],
    [admin, root, false],
    [root, user, true],
    [root, admin, true],
    [root, root, true],
  ])('a caller of role %i may change a target of role %i: %p', (caller, target, isAllowed) => {
    expect(isWithinReach(caller, target)).toBe(isAllowed)
  })
})

describe('accounts with grants', () => {
  const helper = standing(user, 'users.read,users.write')
  const full = standing(admin)
  const limited = standing(admin, 'users.read,users.write')
  const finance = standing(user, 'users.read,balances.write')
  const reaches = (caller: Standing, target: Standing) =>
    refusal(() => refuseOutOfReach(caller, target, 'user.rank_edit')) === null

  test('a user with grants ranks between users and administrators', () => {
    expect(reaches(helper, standing(user))).toBe(true)
    expect(reaches(helper, standing(user, 'logs.read'))).toBe(false)
    expect(reaches(helper, limited)).toBe(false)
    expect(reaches(full, helper)).toBe(true)
  })

  test('an account with more grants is out of reach', () => {
    expect(reaches(limited, helper)).toBe(true)
    expect(reaches(limited, finance)).toBe(false)
    expect(reaches(standing(root), full)).toBe(true)
  })

  test('an administrator is appointed only with the grant to set rights', () => {
    const code = (caller: Standing, newRole: number) =>
      refusal(() => checkGivenRole(caller, newRole, 'user.rank_create'))
    expect(code(helper, user)).toBeNull()
    expect(code(helper, admin)).toBe('user.rank_create')
    expect(code(limited, user)).toBeNull()
  })
})

describe('actions', () => {
  const table: [RoleAction, number, number, ErrorCode | null][] = [
    ['disable', admin, user, null],
    ['disable', admin, admin, 'user.rank_edit'],
    ['disable', admin, root, 'user.rank_edit'],
    ['disable', root, user, null],
    ['disable', root, admin, null],
    ['disable', root, root, 'root.disable'],
    ['enable', admin, user, null],
    ['enable', admin, admin, 'user.rank_edit'],
    ['enable', root, admin, null],
    ['enable', root, root, null],
    ['delete', admin, user, null],
    ['delete', admin, admin, 'user.rank_edit'],
    ['delete', root, admin, null],
    ['delete', root, root, 'root.delete'],
    ['promote', admin, user, 'promote.root_only'],
    ['promote', admin, admin, 'user.rank_edit'],
    ['promote', root, user, null],
    ['promote', root, admin, 'promote.already'],
    ['promote', root, root, 'promote.already'],
    ['demote', admin, user, 'demote.already'],
    ['demote', admin, admin, 'user.rank_edit'],
    ['demote', root, admin, null],
    ['demote', root, user, 'demote.already'],
    ['demote', root, root, 'root.demote'],
  ]
  test.each(table)('%s by %i of %i: %p', (action, caller, target, code) => {
    expect(refusal(() => checkAction(action, standing(caller), standing(target)))).toBe(code)
  })
})

describe('roles that may be given', () => {
  const table: [number, number, ErrorCode | null][] = [
    [admin, user, null],
    [admin, admin, 'user.rank_raise'],
    [admin, root, 'user.rank_raise'],
    [root, admin, null],
    [root, root, 'user.rank_raise'],
    [root, 1000, 'user.rank_raise'],
    [root, 0, 'param.invalid'],
    [root, -1, 'param.invalid'],
    [root, 50, 'param.invalid'],
  ]
  test.each(table)('%i may give role %i: %p', (caller, newRole, code) => {
    expect(refusal(() => checkGivenRole(standing(caller), newRole, 'user.rank_raise'))).toBe(code)
  })
})
