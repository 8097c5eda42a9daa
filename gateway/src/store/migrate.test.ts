import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../test/databases'
import { migrate } from './migrate'

onBothDatabases('migrate', (world) => {
  test('is done once and harmless the second time', async () => {
    await migrate(world().database)
    const count = await world()
      .database.query.selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(count.n).toBe(0)
  })

  test('money columns keep 2^53 - 1 as a number', async () => {
    const { query } = world().database
    await query
      .insertInto('credits')
      .values({ id: 'x', user_id: 1, kind: 'admin', amount: Number.MAX_SAFE_INTEGER, created_at: 1, detail: '' })
      .execute()
    const row = await query.selectFrom('credits').select('amount').executeTakeFirstOrThrow()
    expect(row.amount).toBe(Number.MAX_SAFE_INTEGER)
    const sum = await query
      .selectFrom('credits')
      .select((eb) => eb.fn.sum<number>('amount').as('s'))
      .executeTakeFirstOrThrow()
    expect(sum.s).toBe(Number.MAX_SAFE_INTEGER)
  })
})
