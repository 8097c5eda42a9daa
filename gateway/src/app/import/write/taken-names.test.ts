import { expect, test } from 'bun:test'

import { anAccount } from '../../../../test/console-client'
import { createWorld } from '../../../../test/world'
import { TakenNames, typedName } from './taken-names'

const userOf = (id: number, username: string) => ({ id, username, email: '', inviteCode: '', accessToken: '' })

test('a user whose name is taken gets one that no other has, of whatever page', async () => {
  await using world = await createWorld()
  const others = ['Ann', 'ann_7', 'ANN_7_7', 'a_b']
  for (const username of others) await anAccount(world.ctx, { username })
  const page = [userOf(7, 'ann'), userOf(8, 'a@b'), userOf(9, '')]
  const names = await world.ctx.database.query.transaction().execute(async (transaction) => {
    const taken = await TakenNames.among(page, transaction)
    return page.map((user) => {
      const name = typedName(user)
      return taken.claim('name', name) ? name : taken.claimOther(name, user.id)
    })
  })
  expect(names).toEqual(['user:7', 'a_b_8', 'user_9'])
})
