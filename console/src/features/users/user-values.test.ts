import { expect, test } from 'bun:test'

import { aMember } from '../../../test/user-factory'
import { editOf, valuesOf } from './user-values'

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
