import { describe, expect, test } from 'bun:test'

import { role } from './accounts'
import {
  areaPresets,
  completeGrants,
  givableGrants,
  grantFacts,
  grants,
  grantsOf,
  heldStanding,
  holdsAny,
  isGrant,
  isWithinReach,
  mayTouch,
  presetOf,
  rankOf,
  type Grant,
} from './rights'

const { guest, user, admin, root } = role
const reserved: readonly Grant[] = ['settings.secure', 'rights.write']

describe('grants', () => {
  test('only the super admin has the reserved ones, and only by the role', () => {
    expect(grants.filter((grant) => !givableGrants.includes(grant))).toEqual([...reserved])
    expect(presetOf(admin)).toEqual(givableGrants)
    expect(presetOf(root)).toEqual(grants)
    expect([presetOf(user), presetOf(guest)]).toEqual([[], []])
    for (const area of Object.values(areaPresets))
      expect(area.filter((grant) => reserved.some((other) => other === grant))).toEqual([])
  })

  test('an area contains what its grants need', () => {
    for (const area of Object.values(areaPresets))
      expect(new Set<Grant>(completeGrants(area))).toEqual(new Set<Grant>(area))
  })

  test('each grant needs one that exists, and none needs itself by others', () => {
    for (const grant of grants) {
      const needed = completeGrants([grant])
      expect(needed).toContain(grant)
      const facts = grantFacts[grant]
      if (!('needs' in facts)) expect(needed).toEqual([grant])
      else expect(needed.length).toBeGreaterThan(1)
    }
  })

  test('a grant is completed by all that it needs, in the order of the list', () => {
    expect(completeGrants(['keys.write'])).toEqual(['channels.read', 'channels.write', 'keys.write'])
    expect(completeGrants(['logs.delete', 'orders.write'])).toEqual([
      'orders.read',
      'orders.write',
      'logs.read',
      'logs.delete',
    ])
    expect(completeGrants([])).toEqual([])
  })

  test.each<[string, number, readonly string[] | null, readonly Grant[]]>([
    ['an administrator without own grants has all that can be given', admin, null, givableGrants],
    ['an administrator has the stored grants alone', admin, ['logs.read'], ['logs.read']],
    ['an administrator may have no grant at all', admin, [], []],
    ['a user has none', user, null, []],
    ['a user has the stored grants', user, ['codes.write', 'codes.read'], ['codes.read', 'codes.write']],
    ['reserved and unknown grants are not given', admin, ['settings.secure', 'rights.write', 'x'], []],
    ['a super admin loses none', root, [], grants],
    ['a guest is given none', guest, ['logs.read'], []],
  ])('%s', (_name, userRole, stored, expected) => {
    expect(grantsOf(userRole, stored)).toEqual(expected)
  })

  test('a name is a grant only if the list has it', () => {
    expect(['logs.read', 'logs.write', 'constructor', ''].map(isGrant)).toEqual([true, false, false, false])
  })

  test('any of the wanted grants is enough, and none is nothing', () => {
    const held: readonly Grant[] = ['logs.read', 'codes.read']
    for (const own of [held, new Set(held)]) {
      expect(holdsAny(own, 'codes.read')).toBe(true)
      expect(holdsAny(own, 'codes.write')).toBe(false)
      expect(holdsAny(own, ['codes.write', 'logs.read'])).toBe(true)
      expect(holdsAny(own, [])).toBe(false)
    }
  })
})

describe('ranks', () => {
  test('a user with a grant ranks between users and administrators', () => {
    const helper = rankOf(user, ['logs.read'])
    expect([rankOf(user, []), rankOf(admin, []), rankOf(admin, grants), rankOf(root, [])]).toEqual([
      user,
      admin,
      admin,
      root,
    ])
    expect(helper).toBeGreaterThan(user)
    expect(helper).toBeLessThan(admin)
  })

  test('only a higher rank reaches a lower one, and the super admin reaches every one', () => {
    const checkTargets = (rank: number) => [user, 5, admin, root].map((target) => isWithinReach(rank, target))
    expect(checkTargets(user)).toEqual([false, false, false, false])
    expect(checkTargets(5)).toEqual([true, false, false, false])
    expect(checkTargets(admin)).toEqual([true, true, false, false])
    expect(checkTargets(root)).toEqual([true, true, true, true])
  })

  test('an account is changed by a higher rank that has all of its grants', () => {
    const caller = heldStanding(admin, ['users.read', 'users.write', 'logs.read'])
    expect(mayTouch(caller, heldStanding(user, []))).toBe(true)
    expect(mayTouch(caller, heldStanding(user, ['logs.read', 'users.read']))).toBe(true)
    expect(mayTouch(caller, heldStanding(user, ['logs.read', 'codes.read']))).toBe(false)
    expect(mayTouch(caller, heldStanding(admin, []))).toBe(false)
    expect(mayTouch(heldStanding(user, ['logs.read']), heldStanding(user, ['logs.read']))).toBe(false)
    expect(mayTouch(heldStanding(root, grants), heldStanding(root, grants))).toBe(true)
  })
})
