import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../test/databases'
import { codeOfUniqueViolation } from './database-errors'

onBothDatabases('a value written twice', (world) => {
  const aUser = (fields: { username: string; aff: string; email?: string }) =>
    world()
      .database.query.insertInto('users')
      .values({
        username: fields.username,
        username_key: fields.username,
        password_hash: '',
        display_name: '',
        email: fields.email ?? null,
        role: 1,
        status: 1,
        aff_code: fields.aff,
        created_at: 1,
      })
      .execute()
      .then(
        () => 'written',
        (error: unknown) => codeOfUniqueViolation(error),
      )

  test('a unique violation is a business failure where it has a meaning, and a fault elsewhere', async () => {
    expect(await aUser({ username: 'ann', aff: 'a' })).toBe('written')
    expect(await aUser({ username: 'ann', aff: 'b' })).toBe('user.exists')
    expect(await aUser({ username: 'bob', aff: 'a' })).toBeUndefined()
    expect(await aUser({ username: 'carl', aff: 'c', email: 'a@example.com' })).toBe('written')
    expect(await aUser({ username: 'dora', aff: 'd', email: 'A@example.com' })).toBe('email.taken')
  })
})

test('nothing else is a unique violation', () => {
  const others = [new Error('x'), null, 'text', Object.assign(new Error('x'), { code: '23505' })]
  expect(others.map(codeOfUniqueViolation)).toEqual(others.map(() => undefined))
})
