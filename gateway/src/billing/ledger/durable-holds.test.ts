import { expect, test } from 'bun:test'

import { CompiledQuery } from 'kysely'

import { onBothDatabases } from '../../../test/databases'
import { eventually } from '../../../test/eventually'
import { aCharge, aToken, aUser, booksOf, ledgerOptions } from '../../../test/ledger'
import { codeOf, openSeveral } from '../../../test/ledger-workers'
import { aWindow } from '../../../test/windows'
import type { Payer } from './ledger'
import { openLedger, type LedgerWorker } from './open-ledger'

onBothDatabases('quota held for work that ends later', (world) => {
  const open = () => openLedger(ledgerOptions(world().database))
  const payer = (userId: number): Payer => ({ userId, tokenId: 0, isTokenLimited: false })
  const books = (userId: number) => booksOf(world().database, userId)
  const inTransaction = <Result>(
    work: (transaction: Parameters<Parameters<LedgerWorker['hold']>[1]>[0]) => Promise<Result>,
  ) => world().database.query.transaction().execute(work)
  const hold = (ledger: LedgerWorker, id: string, amount: number, owner: Payer) =>
    ledger.hold({ id, payer: owner, amount }, async () => amount)
  const settle = (ledger: LedgerWorker, id: string, cost: number, fields = {}) =>
    inTransaction((transaction) => ledger.settleHold(id, aCharge(cost, fields), transaction))
  const release = (ledger: LedgerWorker, id: string) =>
    inTransaction((transaction) => ledger.releaseHold(id, transaction))

  test('a hold leaves the balance, and its charge returns the rest', async () => {
    const userId = await aUser(world().database, 1000)
    const ledger = await open()
    expect(await hold(ledger, `t${userId}`, 600, payer(userId))).toBe(600)
    expect(await books(userId)).toMatchObject({ free: 400, held: 600, used: 0 })
    expect(await settle(ledger, `t${userId}`, 250, { userId })).toBe(true)
    expect(await books(userId)).toMatchObject({ free: 750, held: 0, used: 250, charges: 1, charged: 250, requests: 1 })
    await ledger.close()
  })

  test('a hold that a plan pays for ends while other charges of its user are applied', async () => {
    const { database } = world()
    const userId = await aUser(database, 1000)
    const window = await aWindow(database, userId)
    const ledger = await open()
    await hold(ledger, `plan${userId}`, 100, { ...payer(userId), subscriptionId: 1, windows: [window] })
    const waiting = CompiledQuery.raw(
      "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
    const { settled } = await inTransaction(async (charging) => {
      // As where charges are applied: the user first, then the period.
      const untouched = charging.updateTable('users').set((eb) => ({ request_count: eb.ref('request_count') }))
      await untouched.where('id', '=', userId).execute()
      const settled = settle(ledger, `plan${userId}`, 50, { userId }).catch((error: unknown) => error)
      if (database.kind === 'postgres')
        await eventually(async () => (await database.query.executeQuery(waiting)).rows[0] ?? null)
      const period = charging.updateTable('window_periods').set((eb) => ({ free: eb.ref('free') }))
      await period.where('window_id', '=', window.id).execute()
      return { settled }
    })
    expect(await settled).toBe(true)
    await ledger.close()
  })

  test('a hold ends once, however often and in whatever way it is ended', async () => {
    const userId = await aUser(world().database, 1000)
    const [first, second] = [await open(), await open()]
    await hold(first, `once${userId}`, 500, payer(userId))
    const ends = await Promise.all(
      [first, second, first, second].flatMap((ledger) => [
        settle(ledger, `once${userId}`, 100, { userId }),
        release(ledger, `once${userId}`),
      ]),
    )
    expect(ends.filter(Boolean)).toHaveLength(1)
    const { free, held, used } = await books(userId)
    expect([free + used, held]).toEqual([1000, 0])
    await first.close()
    await second.close()
  })

  test('a hold that is given back returns to the wallet and to the key it was taken from', async () => {
    const userId = await aUser(world().database, 1000)
    const tokenId = await aToken(world().database, userId, 300)
    const key = { userId, tokenId, isTokenLimited: true }
    const ledger = await open()
    await hold(ledger, `k${userId}`, 200, key)
    expect((await ledger.tokenBalanceOf([tokenId])).get(tokenId)).toBe(100)
    expect(await codeOf(hold(ledger, `more${userId}`, 150, key))).toBe('quota.token')
    expect(await release(ledger, `k${userId}`)).toBe(true)
    expect((await ledger.tokenBalanceOf([tokenId])).get(tokenId)).toBe(300)
    await hold(ledger, `l${userId}`, 200, key)
    await settle(ledger, `l${userId}`, 120, { userId, tokenId })
    expect((await ledger.tokenBalanceOf([tokenId])).get(tokenId)).toBe(180)
    expect(await books(userId)).toMatchObject({ free: 880, held: 0, used: 120 })
    await ledger.close()
  })

  test('nothing is held for a closed account or by a closed key, whatever their balance', async () => {
    const { query } = world().database
    const userId = await aUser(world().database, 1000)
    const tokenId = await aToken(world().database, userId, 300)
    const ledger = await open()
    await query.updateTable('tokens').set({ deleted_at: 1 }).where('id', '=', tokenId).execute()
    expect(await codeOf(hold(ledger, `kd${userId}`, 100, { userId, tokenId, isTokenLimited: true }))).toBe(
      'quota.token',
    )
    await query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', userId).execute()
    expect(await codeOf(hold(ledger, `d${userId}`, 100, payer(userId)))).toBe('quota.user')
    expect(await books(userId)).toMatchObject({ free: 1000, held: 0 })
    expect((await ledger.tokenBalanceOf([tokenId])).get(tokenId)).toBe(300)
    await ledger.close()
  })

  test('a hold that the balance does not cover is refused, and nothing is recorded for it', async () => {
    const userId = await aUser(world().database, 100)
    const ledger = await open()
    const record = async () => {
      throw new Error('nothing may be recorded')
    }
    expect(await codeOf(ledger.hold({ id: `no${userId}`, payer: payer(userId), amount: 101 }, record))).toBe(
      'quota.user',
    )
    expect(await books(userId)).toMatchObject({ free: 100, held: 0 })
    await ledger.close()
  })

  test('a hold whose record fails holds nothing', async () => {
    const userId = await aUser(world().database, 100)
    const ledger = await open()
    const record = async () => {
      throw new Error('the record failed')
    }
    expect(await codeOf(ledger.hold({ id: `bad${userId}`, payer: payer(userId), amount: 50 }, record))).toContain(
      'the record failed',
    )
    expect(await books(userId)).toMatchObject({ free: 100, held: 0 })
    await ledger.close()
  })

  test('a hold gets what idle workers have leased, but nothing that calls in flight have reserved', async () => {
    const userId = await aUser(world().database, 1000)
    const { ledgers } = await openSeveral(world().database, 2)
    const [first, second] = ledgers
    if (!first || !second) throw new Error('two were opened')
    second.release(await second.reserve(`idle-${userId}`, payer(userId), 400))
    const running = await second.reserve(`running-${userId}`, payer(userId), 100)
    expect(await hold(first, `h${userId}`, 900, payer(userId))).toBe(900)
    expect(await codeOf(hold(first, `i${userId}`, 50, payer(userId)))).toBe('quota.user')
    second.release(running)
    expect(await hold(first, `j${userId}`, 50, payer(userId))).toBe(50)
    await release(first, `h${userId}`)
    await release(first, `j${userId}`)
    for (const ledger of ledgers) await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 1000, held: 0, leased: 0 })
  })

  test('a cost above the hold is charged in full', async () => {
    const userId = await aUser(world().database, 100)
    const ledger = await open()
    await hold(ledger, `dear${userId}`, 100, payer(userId))
    await settle(ledger, `dear${userId}`, 130, { userId })
    expect(await books(userId)).toMatchObject({ free: -30, held: 0, used: 130 })
    await ledger.close()
  })

  test('a hold survives the end of the worker that took it', async () => {
    const userId = await aUser(world().database, 100)
    const ledger = await open()
    await hold(ledger, `long${userId}`, 60, payer(userId))
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 40, held: 60 })
    const next = await open()
    expect(await release(next, `long${userId}`)).toBe(true)
    expect(await books(userId)).toMatchObject({ free: 100, held: 0 })
    await next.close()
  })
})
