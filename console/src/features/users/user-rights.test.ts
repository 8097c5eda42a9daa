import { describe, expect, test } from 'bun:test'

import { holdsAny, presetOf, role, type Grant } from '@tollgate/contract'

import { aMember } from '../../../test/user-factory'
import type { Viewer } from '../../lib/api/session'
import { rightsOver } from './user-rights'

const aViewer = (ofRole: number, grants: readonly Grant[] = presetOf(ofRole)): Viewer => ({
  user: { id: 1, username: 'ada', display_name: '', role: ofRole, status: 1, group: 'default' },
  isAdmin: ofRole >= role.admin,
  isRoot: ofRole >= role.root,
  grants,
  hasPlans: false,
  may: (required) => holdsAny(grants, required),
})

const support: readonly Grant[] = ['users.read', 'users.write', 'logs.read']
const aHelper = aMember({ grants: ['logs.read'] })
const anAdmin = aMember({ role: role.admin })

describe('rights over a user', () => {
  test.each([
    ['an admin edits a user', aViewer(role.admin), aMember(), true],
    ['an admin edits a user with grants of the admin’s own', aViewer(role.admin), aHelper, true],
    ['an admin edits no other admin', aViewer(role.admin), anAdmin, false],
    ['a user with grants edits a user without', aViewer(role.user, support), aMember(), true],
    ['a user with grants edits no other one', aViewer(role.user, support), aHelper, false],
    [
      'an admin with fewer grants cannot edit one with more',
      aViewer(role.admin, ['users.read', 'users.write']),
      aHelper,
      false,
    ],
    ['an admin with read access cannot edit users', aViewer(role.admin, ['users.read', 'logs.read']), aMember(), false],
    ['the super admin edits another super admin', aViewer(role.root), aMember({ role: role.root }), true],
    ['a deleted account cannot be edited', aViewer(role.root), aMember({ DeletedAt: '2026-01-01T00:00:00Z' }), false],
  ] as const)('%s', (_case, viewer, user, mayEdit) => {
    expect(rightsOver(viewer, user).mayEdit).toBe(mayEdit)
  })

  test('viewing as a user requires the grant to read logs and a higher rank, not all of the user’s grants', () => {
    const reader = aViewer(role.admin, ['users.read', 'logs.read'])
    expect(rightsOver(reader, aMember({ grants: ['audit.read'] }))).toMatchObject({ mayView: true, mayEdit: false })
    expect(rightsOver(aViewer(role.admin, ['users.read']), aMember()).mayView).toBe(false)
    expect(rightsOver(aViewer(role.user, support), aHelper).mayView).toBe(false)
  })

  test('only the super admin creates admins, and the role of a super admin cannot be changed', () => {
    expect([...rightsOver(aViewer(role.admin), aMember()).actions]).toEqual(['disable', 'delete'])
    expect([...rightsOver(aViewer(role.root), aMember({ status: 2 })).actions]).toEqual(['promote', 'enable', 'delete'])
    expect([...rightsOver(aViewer(role.root), anAdmin).actions]).toEqual(['demote', 'disable', 'delete'])
    expect([...rightsOver(aViewer(role.root), aMember({ role: role.root })).actions]).toEqual([])
  })

  test('second factors can be removed from others who have some', () => {
    const secured = aMember({ has_second_factor: true })
    expect(rightsOver(aViewer(role.admin), secured).mayRemoveFactors).toBe(true)
    expect(rightsOver(aViewer(role.admin), aMember()).mayRemoveFactors).toBe(false)
    expect(rightsOver(aViewer(role.admin, ['users.read', 'balances.write']), secured).mayRemoveFactors).toBe(false)
    expect(rightsOver(aViewer(role.root), aMember({ id: 1, role: role.root, has_second_factor: true }))).toMatchObject({
      mayRemoveFactors: false,
    })
  })
})
