import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../test/databases'
import { aCharge, aToken, aUser, booksOf, ledgerOptions } from '../../../test/ledger'
import { codeOf, openSeveral } from '../../../test/ledger-workers'
import { openLedger, type LedgerOptions, type LedgerWorker } from './open-ledger'

const fifty = Array.from({ length: 50 }, (_, index) => index)

onBothDatabases('balances', (world) => {
  const open = (options: Partial<LedgerOptions> = {}) => openLedger(ledgerOptions(world().database, options))
  const several = () => openSeveral(world().database, 2)
  const reserve = async (ledger: LedgerWorker, id: string, userId: number, estimate: number) =>
    ledger.reserve(`${id}-${userId}`, { userId, tokenId: 0, isTokenLimited: false }, estimate)
  const books = (userId: number) => booksOf(world().database, userId)

  test('an excess is charged, takes the balance below zero by itself alone, and the next call is refused', async () => {
    const userId = await aUser(world().database, 100)
    const ledger = await open()
    await ledger.charge(await reserve(ledger, 'dear', userId, 100), aCharge(130))
    expect(await codeOf(reserve(ledger, 'next', userId, 1))).toBe('quota.user')
    expect(await codeOf(reserve(ledger, 'free', userId, 0))).toBe('quota.user')
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: -30, used: 130 })
  })

  test('an excess on one worker refuses calls on the others as soon as it is charged', async () => {
    const userId = await aUser(world().database, 2000)
    const { ledgers } = await several()
    const [first, second] = ledgers
    if (!first || !second) throw new Error('two were opened')
    const running = await reserve(first, 'running', userId, 10)
    const elsewhere = await reserve(second, 'elsewhere', userId, 10)
    await first.charge(await reserve(first, 'dear', userId, 10), aCharge(5000))
    await first.waitUntilApplied()
    expect(await codeOf(reserve(first, 'next', userId, 0))).toBe('quota.user')
    await second.sweep()
    expect(await codeOf(reserve(second, 'next there', userId, 0))).toBe('quota.user')
    expect(await codeOf(reserve(second, 'another', userId, 10))).toBe('quota.user')
    first.release(running)
    second.release(elsewhere)
    expect(await codeOf(reserve(second, 'released', userId, 10))).toBe('quota.user')
    await second.credit({ id: `back:${userId}`, userId, kind: 'top-up', amount: 4000 })
    for (const ledger of ledgers) ledger.release(await reserve(ledger, 'paid', userId, 10))
    for (const ledger of ledgers) await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 1000, used: 5000, leased: 0, leases: 0 })
  })

  test('a key that overspent on one worker is refused by the others as soon as it is charged', async () => {
    const userId = await aUser(world().database, 100_000)
    const tokenId = await aToken(world().database, userId, 2000)
    const key = { userId, tokenId, isTokenLimited: true }
    const { ledgers } = await several()
    const [first, second] = ledgers
    if (!first || !second) throw new Error('two were opened')
    second.release(await second.reserve(`k-${userId}`, key, 10))
    const running = await first.reserve(`r-${userId}`, key, 10)
    await first.charge(await first.reserve(`dear-${userId}`, key, 10), aCharge(5000, { userId, tokenId }))
    await first.waitUntilApplied()
    await second.sweep()
    expect(await codeOf(Promise.resolve(second.reserve(`n-${userId}`, key, 1)))).toBe('quota.token')
    first.release(running)
    for (const ledger of ledgers) await ledger.close()
    expect((await first.tokenBalanceOf([tokenId])).get(tokenId)).toBe(-3000)
  })

  test('a balance that is cut leaves workers no more than their calls in flight reserved', async () => {
    const userId = await aUser(world().database, 1_000_000)
    const { ledgers } = await several()
    const running = await Promise.all(ledgers.map((ledger, at) => reserve(ledger, `running${at}`, userId, 100)))
    const [first, second] = ledgers
    if (!first || !second) throw new Error('two were opened')
    expect((await books(userId)).leased).toBeGreaterThan(1000)
    await first.adjustBalance(`cut:${userId}`, userId, 0)
    await first.whenRecalled('user', userId)
    expect((await books(userId)).leased).toBe(200)
    for (const [at, ledger] of ledgers.entries())
      expect(await codeOf(reserve(ledger, `next${at}`, userId, 1))).toBe('quota.user')
    for (const reservation of running.slice(0, 1)) await first.charge(reservation, aCharge(40, { userId }))
    expect(await codeOf(reserve(first, 'rest', userId, 1))).toBe('quota.user')
    for (const reservation of running.slice(1)) second.release(reservation)
    for (const ledger of ledgers) await ledger.close()
    expect(await books(userId)).toMatchObject({ free: -40, used: 40, leases: 0 })
  })

  test('the quota of a key that is cut leaves workers no more than their calls in flight reserved', async () => {
    const userId = await aUser(world().database, 1_000_000)
    const tokenId = await aToken(world().database, userId, 500_000)
    const key = { userId, tokenId, isTokenLimited: true }
    const { ledgers } = await several()
    const [first, second] = ledgers
    if (!first || !second) throw new Error('two were opened')
    const running = await second.reserve(`running-${userId}`, key, 100)
    await first.changeTokenBalance(tokenId, -500_000)
    await first.whenRecalled('token', tokenId)
    for (const [at, ledger] of ledgers.entries())
      expect(await codeOf(Promise.resolve().then(() => ledger.reserve(`n${at}-${userId}`, key, 1)))).toBe('quota.token')
    await second.charge(running, aCharge(100, { userId, tokenId }))
    for (const ledger of ledgers) await ledger.close()
    expect((await first.tokenBalanceOf([tokenId])).get(tokenId)).toBe(-100)
  })

  test('a closed account and a closed key get no lease, whatever their balance', async () => {
    const { query } = world().database
    const userId = await aUser(world().database, 1_000_000)
    const tokenId = await aToken(world().database, userId, 500_000)
    const key = { userId, tokenId, isTokenLimited: true }
    const ledger = await open()
    const reserveByKey = () => Promise.resolve().then(() => ledger.reserve(crypto.randomUUID(), key, 100))
    await query.updateTable('tokens').set({ deleted_at: 1 }).where('id', '=', tokenId).execute()
    expect(await codeOf(reserveByKey())).toBe('quota.token')
    await query.updateTable('tokens').set({ deleted_at: null }).where('id', '=', tokenId).execute()
    ledger.release(await reserveByKey())
    const other = await aUser(world().database, 1_000_000)
    await query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', other).execute()
    expect(await codeOf(reserve(ledger, 'closed', other, 100))).toBe('quota.user')
    await ledger.close()
    expect(await books(other)).toMatchObject({ free: 1_000_000, leases: 0 })
  })

  test('a key and an account that are deleted in mid-call pay for it, and their leases go back', async () => {
    const { query } = world().database
    const userId = await aUser(world().database, 1_000_000)
    const tokenId = await aToken(world().database, userId, 500_000)
    const ledger = await open()
    const running = await ledger.reserve(`running-${userId}`, { userId, tokenId, isTokenLimited: true }, 100)
    await query.updateTable('tokens').set({ deleted_at: 1 }).where('id', '=', tokenId).execute()
    await query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', userId).execute()
    await ledger.charge(running, aCharge(60, { userId, tokenId }))
    await ledger.close()
    expect((await ledger.tokenBalanceOf([tokenId])).get(tokenId)).toBe(500_000 - 60)
    expect(await books(userId)).toMatchObject({ free: 1_000_000 - 60, used: 60, leases: 0 })
  })

  test('a cut that leaves enough for what is leased recalls nothing', async () => {
    const userId = await aUser(world().database, 1_000_000)
    const ledger = await open()
    ledger.release(await reserve(ledger, 'a', userId, 100))
    await ledger.adjustBalance(`cut:${userId}`, userId, 900_000)
    const recalled = world().database.query.selectFrom('leases').select('id').where('recalled', '=', 1)
    expect(await recalled.execute()).toEqual([])
    await ledger.close()
  })

  test('a balance never leaves the range of exact numbers, whatever is credited at once', async () => {
    const userId = await aUser(world().database, 0)
    const tokenId = await aToken(world().database, userId, 0)
    const ledger = await open()
    const credit = (index: number) =>
      codeOf(ledger.credit({ id: `big:${userId}:${index}`, userId, kind: 'top-up', amount: 1e15 }))
    const results = await Promise.all(fifty.slice(0, 13).map(credit))
    expect(results.filter((result) => result === 'null')).toHaveLength(9)
    expect(results.filter((result) => result === 'quota.bounds')).toHaveLength(4)
    expect(await books(userId)).toMatchObject({ free: 9e15, credited: 9e15 })
    const debit = { id: `down:${userId}`, userId, kind: 'admin', amount: -2e16 } as const
    expect(await codeOf(ledger.credit(debit))).toBe('quota.bounds')
    expect(await codeOf(ledger.changeTokenBalance(tokenId, 2 ** 53))).toBe('quota.bounds')
    await ledger.changeTokenBalance(tokenId, 2 ** 53 - 1)
    expect(await codeOf(ledger.changeTokenBalance(tokenId, 1))).toBe('quota.bounds')
    await ledger.close()
  })

  test('the same credit 50 times at once is one', async () => {
    const userId = await aUser(world().database, 0)
    const ledger = await open()
    const credit = { id: `once:${userId}`, userId, kind: 'redemption', amount: 70 } as const
    const results = await Promise.all(fifty.map(() => ledger.credit(credit)))
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await ledger.balanceOf([userId])).toEqual(new Map([[userId, 70]]))
    await ledger.close()
  })

  test('a balance is brought to a value while calls are charged, and nothing is lost', async () => {
    const userId = await aUser(world().database, 10_000)
    const ledger = await open()
    const spend = async (index: number) => ledger.charge(await reserve(ledger, `s${index}`, userId, 5), aCharge(7))
    await Promise.all(
      fifty.map((index) =>
        index % 10 === 0 ? ledger.adjustBalance(`set:${userId}:${index}`, userId, 5000 + index) : spend(index),
      ),
    )
    await ledger.close()
    const end = await books(userId)
    expect(end.free + end.used).toBe(end.credited)
    expect(end.used).toBe(45 * 7)
  })

  test('a balance is brought to a value within a transaction that fails, and stays', async () => {
    const userId = await aUser(world().database, 100)
    const tokenId = await aToken(world().database, userId, 100)
    const ledger = await open()
    const failed = world()
      .database.query.transaction()
      .execute(async (transaction) => {
        expect(await ledger.adjustBalance(`undone:${userId}`, userId, 5, transaction)).toBe(-95)
        expect(await ledger.adjustTokenBalance(tokenId, 500, transaction)).toBe(400)
        throw new RangeError('undone')
      })
    expect(await codeOf(failed)).toBe('RangeError: undone')
    expect((await ledger.balanceOf([userId])).get(userId)).toBe(100)
    expect(await ledger.adjustTokenBalance(tokenId, 30)).toBe(-70)
    expect((await ledger.tokenBalanceOf([tokenId])).get(tokenId)).toBe(30)
    await ledger.close()
  })
})
