import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../test/databases'
import { createSeal } from '../../platform/store/seal'
import { sharedTokens } from './upstream-call'

onBothDatabases('tokens of vendors', (world) => {
  const clock = { now: () => 1_800_000_000_000 }
  const seal = createSeal(new Uint8Array(32))
  const token = { text: '24.a-token', goodUntil: 1_900_000_000_000 }

  test('a token is read by every worker with the key, and by none without it', async () => {
    const { database } = world()
    const one = sharedTokens({ database, seal, clock })
    expect(await one.read('baidu:an-account')).toBeNull()
    await one.write('baidu:an-account', token)
    expect(await sharedTokens({ database, seal, clock }).read('baidu:an-account')).toEqual(token)
    expect(await one.read('baidu:another')).toBeNull()
    const other = createSeal(new Uint8Array(32).fill(1))
    expect(await sharedTokens({ database, seal: other, clock }).read('baidu:an-account')).toBeNull()
    const { value } = await database.query.selectFrom('site_notes').select('value').executeTakeFirstOrThrow()
    expect(value).not.toContain('a-token')
  })
})
