import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../test/databases'
import { FakeTime } from '../../../test/fake-time'
import { aCharge, aToken, aUser, booksOf, ledgerOptions } from '../../../test/ledger'
import type { Payer } from './ledger'
import { openLedger, type LedgerOptions, type LedgerWorker } from './open-ledger'
import { nextTurn, systemTimers } from '../../platform/time/timers'

onBothDatabases('a hold', (world) => {
  /** Calls that run on keep no ledger from closing for two seconds. */
  const timers = { ...systemTimers, wait: nextTurn }
  const open = (options: Partial<LedgerOptions> = {}) =>
    openLedger(ledgerOptions(world().database, { timers, ...options }))
  const payer = (userId: number): Payer => ({ userId, tokenId: 0, isTokenLimited: false })
  const books = (userId: number) => booksOf(world().database, userId)

  test('a hold is the most that is wanted where the balance covers it, else a quarter of the balance', async () => {
    const userId = await aUser(world().database, 1000)
    const ledger = await open()
    const full = await ledger.reserve(`a${userId}`, payer(userId), { max: 600, min: 10 })
    expect([full.amount, full.spendable]).toEqual([600, null])
    const lowered = await ledger.reserve(`b${userId}`, payer(userId), { max: 600, min: 10 })
    expect([lowered.amount, lowered.spendable]).toEqual([100, 400])
    const minimal = await ledger.reserve(`c${userId}`, payer(userId), { max: 600, min: 290 })
    expect([minimal.amount, minimal.spendable]).toEqual([290, 300])
    await ledger.close()
  })

  test('a hold is refused where the balance does not cover the least', async () => {
    const userId = await aUser(world().database, 1000)
    const ledger = await open()
    const refused = Promise.resolve(ledger.reserve(`a${userId}`, payer(userId), { max: 9000, min: 1001 }))
    expect(await refused.catch((error: unknown) => error)).toMatchObject({ code: 'quota.user', params: { need: 1001 } })
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 1000, leases: 0 })
  })

  test('holds of many parallel calls leave something for each and never exceed the balance', async () => {
    const userId = await aUser(world().database, 10_000)
    const ledger = await open()
    const calls = Array.from({ length: 15 }, (_, index) => `p${index}-${userId}`)
    const held = await Promise.all(calls.map(async (id) => ledger.reserve(id, payer(userId), { max: 8_000, min: 10 })))
    const amounts = held.map(({ amount }) => amount)
    expect(amounts[0]).toBe(8000)
    expect(Math.min(...amounts)).toBeGreaterThanOrEqual(8)
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(10_000)
    await ledger.close()
  })

  test('a hold of a limited key takes the same from both balances', async () => {
    const userId = await aUser(world().database, 1000)
    const tokenId = await aToken(world().database, userId, 200)
    const ledger = await open()
    const limited: Payer = { userId, tokenId, isTokenLimited: true }
    const reservation = await ledger.reserve(`a${userId}`, limited, { max: 800, min: 10 })
    expect([reservation.amount, reservation.spendable]).toEqual([50, 200])
    expect(ledger.stats().reserved).toBe(50)
    const more = await ledger.extend(reservation, { max: 800, min: 1 })
    expect([more, reservation.amount]).toEqual([37, 87])
    await ledger.charge(reservation, aCharge(87, { userId, tokenId }))
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 913, leases: 0 })
  })

  test('grows at once while the lease covers it, then by what the database has, then no more', async () => {
    const userId = await aUser(world().database, 3200)
    const ledger = await open()
    const reservation = await ledger.reserve(`a${userId}`, payer(userId), 10)
    expect(ledger.extend(reservation, { max: 100, min: 1 })).toBe(100)
    expect(await ledger.extend(reservation, { max: 3000, min: 1 })).toBe(3000)
    expect(await ledger.extend(reservation, { max: 3000, min: 1, fair: 50 })).toBe(50)
    expect(await ledger.extend(reservation, { max: 3000, min: 1, fair: 50 })).toBe(40)
    expect(await ledger.extend(reservation, { max: 3000, min: 1, fair: 50 })).toBe(0)
    await ledger.charge(reservation, aCharge(reservation.amount, { userId }))
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 0, used: 3200, leases: 0 })
  })

  test('a hold that ends while it asks for more keeps nothing', async () => {
    const userId = await aUser(world().database, 1000)
    const ledger = await open()
    const reservation = await ledger.reserve(`a${userId}`, payer(userId), 10)
    const extension = ledger.extend(reservation, { max: 900, min: 1 })
    ledger.release(reservation)
    expect([await extension, await ledger.extend(reservation, { max: 1, min: 1 })]).toEqual([0, 0])
    expect(ledger.stats().reserved).toBe(0)
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 1000, leases: 0 })
  })

  test('a hold is filled with what other workers hold and do not use', async () => {
    const userId = await aUser(world().database, 1600)
    const clock = new FakeTime()
    const ledgers: LedgerWorker[] = []
    const wait = async (ms: number) => {
      clock.advance(ms)
      for (const ledger of ledgers) await ledger.sweep()
    }
    for (const _ of [0, 1]) ledgers.push(await open({ clock, timers: { ...systemTimers, wait } }))
    const [one, two] = ledgers
    if (!one || !two) throw new Error('Two workers are open')
    one.release(await one.reserve(`a${userId}`, payer(userId), 1000))
    const reservation = await two.reserve(`b${userId}`, payer(userId), { max: 1500, min: 10 })
    expect([reservation.amount, reservation.spendable]).toEqual([1500, null])
    for (const ledger of ledgers) await ledger.close()
  })

  test('a hold that is not an amount is refused', async () => {
    const ledger = await open()
    for (const [max, min] of [
      [1, 2],
      [-1, -1],
      [1.5, 1],
      [NaN, 0],
      [10, -1],
    ] as const)
      expect(
        await ledger.reserve('x', payer(1), { max: max, min: min }).catch((error: unknown) => error),
      ).toBeInstanceOf(RangeError)
    await ledger.close()
  })
})
