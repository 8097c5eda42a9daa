import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../test/databases'
import { aCharge, aToken, aUser, booksOf, ledgerOptions, ManualClock } from '../../test/ledger'
import { openLedger } from './open-ledger'

onBothDatabases('ledger', (world) => {
  const open = (clock = new ManualClock()) => openLedger(ledgerOptions(world().database, { clock }))

  test('a call is reserved, charged, counted and logged', async () => {
    const { database } = world()
    const userId = await aUser(database, 1000)
    const tokenId = await aToken(database, userId, 500)
    const ledger = await open()
    const reservation = await ledger.reserve('r1', { userId, tokenId, isTokenLimited: true }, 100)
    await ledger.charge(reservation, aCharge(70, { userId, tokenId }))
    await ledger.close()
    expect(await booksOf(database, userId)).toEqual({
      free: 930,
      used: 70,
      requests: 1,
      leased: 0,
      leases: 0,
      credited: 1000,
      charged: 70,
      charges: 1,
    })
    const token = await database.query
      .selectFrom('tokens')
      .selectAll()
      .where('id', '=', tokenId)
      .executeTakeFirstOrThrow()
    expect([token.remain_quota, token.used_quota]).toEqual([430, 70])
    const log = await database.query.selectFrom('logs').selectAll().where('request_id', '=', 'r1').execute()
    expect(log.map(({ quota, user_id }) => [quota, user_id])).toEqual([[70, userId]])
    const rollups = await database.query.selectFrom('rollups').selectAll().where('user_id', '=', userId).execute()
    expect(rollups.map(({ count, quota, prompt_tokens }) => [count, quota, prompt_tokens])).toEqual([[1, 70, 10]])
  })
})
