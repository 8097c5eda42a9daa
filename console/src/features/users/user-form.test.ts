import { expect, test } from 'bun:test'

import { aMember } from '../../../test/user-factory'
import { editOf, newUserValues, userSchema, valuesOf, type UserFault, type UserValues } from './user-form'

const user = aMember({ username: 'ann', display_name: 'Ann', quota: 700, quota_read: 650 })

test('a balance is sent along with its original value, so that spending in between is preserved', () => {
  const edit = editOf(user, { ...valuesOf(user), added: '-100', reason: ' refund ' })
  expect(edit).toEqual({ id: user.id, quota: 600, quota_read: 650, reason: 'refund' })
})

test('an edit contains only what was changed, and no balance otherwise', () => {
  expect(editOf(user, valuesOf(user))).toEqual({ id: user.id })
  expect(editOf(user, { ...valuesOf(user), displayName: 'Anna', added: 0 })).toEqual({
    id: user.id,
    display_name: 'Anna',
  })
})

/** Returns the faults of the drawer of a new account, or of one that exists, as “field fault”. */
function faultsOf(values: Partial<UserValues>, before?: { readonly username: string }): string[] {
  const valid = { ...newUserValues, username: 'ann', password: before ? '' : 'long enough' }
  const { error } = userSchema((fault: UserFault) => fault, before).safeParse({ ...valid, ...values })
  return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []
}

test.each<[Partial<UserValues>, string[]]>([
  [{}, []],
  [{ username: '' }, ['username username']],
  [{ username: ' ' }, ['username username']],
  [{ username: 'n'.repeat(20) }, []],
  [{ username: '名'.repeat(20) }, []],
  [{ username: 'n'.repeat(21) }, ['username username']],
  [{ username: 'a@b' }, ['username username']],
  [{ displayName: 'n'.repeat(50) }, []],
  [{ displayName: 'n'.repeat(51) }, ['displayName displayName']],
  [{ password: '' }, ['password password']],
  [{ password: 'p'.repeat(7) }, ['password password']],
  [{ password: 'p'.repeat(8) }, []],
  [{ password: 'p'.repeat(64) }, []],
  [{ password: 'p'.repeat(65) }, ['password password']],
  [{ added: 500 }, []],
  [{ added: '-500', reason: 'refund' }, []],
  [{ added: 0 }, []],
  [{ added: '' }, []],
])('a new account with %j has the faults %j', (values, faults) => {
  expect(faultsOf(values)).toEqual(faults)
})

test('an account keeps its password where none is typed, and a name that predates today’s rules', () => {
  const old = { username: 'old@name' }
  expect(faultsOf({ username: 'old@name', password: '' }, old)).toEqual([])
  expect(faultsOf({ username: 'new@name' }, old)).toEqual(['username username'])
  expect(faultsOf({ password: 'short' }, old)).toEqual(['password password'])
})

test('an edit has the trimmed names, the new group and the new password', () => {
  const values = {
    ...valuesOf(user),
    username: ' anna ',
    displayName: ' Anna ',
    group: 'vip',
    password: ' secret pass',
  }
  expect(editOf(user, values)).toEqual({
    id: user.id,
    username: 'anna',
    display_name: 'Anna',
    group: 'vip',
    password: ' secret pass',
  })
  expect(editOf(user, { ...valuesOf(user), group: null })).toEqual({ id: user.id })
})
