import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onBothDatabases } from '../../../test/databases'
import { faultyDatabase, type Fault } from '../../../test/faulty-database'
import { FakeTime } from '../../../test/fake-time'
import { aCharge, anEntry, aToken, aUser, booksOf, ledgerOptions } from '../../../test/ledger'
import { codeOf, openSeveral } from '../../../test/ledger-workers'
import type { Payer, Reservation } from './ledger'
import { openLedger, type LedgerOptions, type LedgerWorker } from './open-ledger'
import { openJournal } from './journal/journal'
import { HeldReservation } from './lease/reservations'
import { systemTimers } from '../../platform/time/timers'

const fifty = Array.from({ length: 50 }, (_, index) => index)

onBothDatabases('ledger', (world) => {
  const open = (options: Partial<LedgerOptions> = {}) => openLedger(ledgerOptions(world().database, options))
  const payer = (userId: number): Payer => ({ userId, tokenId: 0, isTokenLimited: false })
  const reserve = async (ledger: LedgerWorker, id: string, userId: number, estimate: number) =>
    ledger.reserve(`${id}-${userId}`, payer(userId), estimate)
  const books = (userId: number) => booksOf(world().database, userId)

  test('a call is reserved, charged, counted and logged', async () => {
    const { query } = world().database
    const userId = await aUser(world().database, 1000)
    const tokenId = await aToken(world().database, userId, 500)
    const ledger = await open()
    const reservation = await ledger.reserve(`r-${userId}`, { userId, tokenId, isTokenLimited: true }, 100)
    await ledger.charge(reservation, aCharge(70, { userId, tokenId, vendorCost: 20 }))
    await ledger.close()
    expect(await books(userId)).toEqual({
      free: 930,
      used: 70,
      requests: 1,
      leased: 0,
      leases: 0,
      held: 0,
      credited: 1000,
      charged: 70,
      charges: 1,
    })
    const token = await query.selectFrom('tokens').selectAll().where('id', '=', tokenId).executeTakeFirstOrThrow()
    expect([token.remain_quota, token.used_quota]).toEqual([430, 70])
    expect(token.accessed_time).toBeGreaterThan(0)
    const logs = await query.selectFrom('logs').selectAll().where('request_id', '=', `r-${userId}`).execute()
    expect(logs.map(({ quota, user_id }) => [quota, user_id])).toEqual([[70, userId]])
    const rollups = await query.selectFrom('rollups').selectAll().where('user_id', '=', userId).execute()
    expect(rollups.map(({ count, quota, prompt_tokens }) => [count, quota, prompt_tokens])).toEqual([[1, 70, 10]])
    expect(rollups.map(({ sold, vendor_cost }) => [sold, vendor_cost])).toEqual([[70, 20]])
  })

  test('a token remembers the address of its last call, and forgets it when the last call has none', async () => {
    const { query } = world().database
    const userId = await aUser(world().database, 1000)
    const tokenId = await aToken(world().database, userId, 500)
    const ledger = await open()
    const charge = async (id: string, fields: { clientIp: string; createdAt: number }) => {
      const reservation = await ledger.reserve(`${id}-${userId}`, { userId, tokenId, isTokenLimited: true }, 10)
      await ledger.charge(reservation, aCharge(1, { userId, tokenId, ...fields }))
    }
    const readLastIp = async () => {
      const [token] = await query.selectFrom('tokens').select('last_ip').where('id', '=', tokenId).execute()
      return token?.last_ip
    }
    expect(await readLastIp()).toBe('')
    await charge('later', { clientIp: '203.0.113.9', createdAt: 1_800_000_002 })
    await charge('earlier', { clientIp: '203.0.113.7', createdAt: 1_800_000_001 })
    await ledger.waitUntilApplied()
    expect(await readLastIp()).toBe('203.0.113.9')
    await charge('unrecorded', { clientIp: '', createdAt: 1_800_000_003 })
    await ledger.close()
    expect(await readLastIp()).toBe('')
  })

  test('a charge that is not to be logged is charged and counted all the same', async () => {
    const { query } = world().database
    const userId = await aUser(world().database, 1000)
    const ledger = await open()
    await ledger.charge(await reserve(ledger, 'quiet', userId, 10), { ...aCharge(10), isLogged: false })
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 990, used: 10, requests: 1 })
    expect(await query.selectFrom('logs').selectAll().where('user_id', '=', userId).execute()).toEqual([])
    expect(await query.selectFrom('rollups').selectAll().where('user_id', '=', userId).execute()).toHaveLength(1)
  })

  test('many charges of many users at once are each counted once', async () => {
    const ledger = await open()
    const users = await Promise.all(fifty.slice(0, 10).map(() => aUser(world().database, 100_000)))
    await Promise.all(
      fifty.flatMap((index) =>
        users.map(async (userId) => ledger.charge(await reserve(ledger, `m${index}`, userId, 20), aCharge(index))),
      ),
    )
    await ledger.close()
    for (const userId of users) expect(await books(userId)).toMatchObject({ free: 98_775, used: 1225, requests: 50 })
  })

  test('one of 50 parallel calls is served by a balance that covers one', async () => {
    const userId = await aUser(world().database, 100)
    const ledger = await open()
    const tries = await Promise.allSettled(fifty.map((index) => reserve(ledger, `p${index}`, userId, 100)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await codeOf(reserve(ledger, 'more', userId, 1))).toBe('quota.user')
    for (const one of tries) if (one.status === 'fulfilled') ledger.release(one.value)
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 100, leases: 0 })
  })

  test('two workers serve one call on a balance that covers one', async () => {
    const userId = await aUser(world().database, 100)
    const { ledgers } = await openSeveral(world().database, 2)
    const tries = await Promise.allSettled(
      fifty.flatMap((index) => ledgers.map((ledger, at) => reserve(ledger, `w${at}-${index}`, userId, 100))),
    )
    const served = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(served).toHaveLength(1)
    for (const ledger of ledgers) for (const one of served.splice(0)) ledger.release(one)
    for (const ledger of ledgers) await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 100, leases: 0 })
  })

  test('a worker gives an idle lease up when another needs it', async () => {
    const userId = await aUser(world().database, 100)
    const { ledgers } = await openSeveral(world().database, 2)
    const [first, second] = ledgers
    if (!first || !second) throw new Error('two were opened')
    first.release(await reserve(first, 'a', userId, 100))
    expect(await books(userId)).toMatchObject({ free: 0, leased: 100 })
    const reservation = await reserve(second, 'b', userId, 90)
    expect(reservation.amount).toBe(90)
    second.release(reservation)
    for (const ledger of ledgers) await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 100, leases: 0 })
  })

  test('an idle lease goes back by itself', async () => {
    const userId = await aUser(world().database, 1000)
    const { clock, ledgers } = await openSeveral(world().database, 1)
    const [ledger] = ledgers
    if (!ledger) throw new Error('one was opened')
    ledger.release(await reserve(ledger, 'idle', userId, 10))
    await ledger.sweep()
    expect((await books(userId)).leased).toBeGreaterThan(0)
    clock.advance(2500)
    await ledger.sweep()
    expect(await books(userId)).toMatchObject({ free: 1000, leases: 0 })
    expect(ledger.stats()).toMatchObject({ leases: 0, leasedQuota: 0, reserved: 0 })
    await ledger.close()
  })

  test('a key without enough quota is refused and holds nothing of its user', async () => {
    const userId = await aUser(world().database, 1000)
    const tokenId = await aToken(world().database, userId, 50)
    const ledger = await open()
    const work = Promise.resolve(ledger.reserve('poor', { userId, tokenId, isTokenLimited: true }, 60))
    expect(await codeOf(work)).toBe('quota.token')
    expect(ledger.stats().reserved).toBe(0)
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 1000, leases: 0 })
  })

  test('charges are acknowledged while the database is away, and after an outage all of them are in it', async () => {
    const userId = await aUser(world().database, 10_000)
    let fault: Fault = 'none'
    const database = faultyDatabase(world().database, () => fault)
    const ledger = await open({ database, timers: { ...systemTimers, wait: () => Bun.sleep(0) } })
    const held: Reservation[] = []
    for (const index of fifty.slice(0, 10)) held.push(await reserve(ledger, `o${index}`, userId, 10))
    fault = 'refused'
    const charges = Promise.all(held.map((reservation) => codeOf(ledger.charge(reservation, aCharge(9)))))
    expect(new Set(await charges)).toEqual(new Set(['null']))
    expect(await books(userId)).toMatchObject({ used: 0 })
    expect(ledger.stats()).toMatchObject({ journalDepth: 10 })
    expect(await codeOf(reserve(ledger, 'late', userId, 9_900))).toBe('ledger.unavailable')
    fault = 'none'
    await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 9910, used: 90, requests: 10, leases: 0 })
  })

  test('while the database is away calls live on the lease, also after a pause and behind one that it does not cover', async () => {
    const userId = await aUser(world().database, 10_000)
    const clock = new FakeTime()
    let fault: Fault = 'none'
    const ledger = await open({ database: faultyDatabase(world().database, () => fault), clock })
    ledger.release(await reserve(ledger, 'first', userId, 10))
    fault = 'refused'
    clock.advance(5000)
    await ledger.sweep()
    const large = codeOf(reserve(ledger, 'large', userId, 9000))
    const small = reserve(ledger, 'small', userId, 10)
    expect(await large).toBe('ledger.unavailable')
    ledger.release(await small)
    fault = 'none'
    clock.advance(2000)
    await ledger.sweep()
    expect(await books(userId)).toMatchObject({ free: 10_000, leases: 0 })
    await ledger.close()
  })

  test('a lease whose grant was lost on the way is leased again, and returns when idle', async () => {
    const userId = await aUser(world().database, 100)
    const clock = new FakeTime()
    const faults: Fault[] = []
    const database = faultyDatabase(world().database, () => faults.shift() ?? 'none')
    const ledger = await open({ database, clock })
    // begin, balance, its change, lease, commit
    const commitLost: Fault[] = ['none', 'none', 'none', 'none', 'answer-lost']
    faults.push(...commitLost)
    ledger.release(await reserve(ledger, 'lost', userId, 90))
    expect(await books(userId)).toMatchObject({ free: 10, leased: 90 })
    clock.advance(2000)
    await ledger.sweep()
    expect(await books(userId)).toMatchObject({ free: 100, leases: 0 })

    faults.push(...commitLost, 'refused')
    expect(await codeOf(reserve(ledger, 'lost again', userId, 90))).toBe('ledger.unavailable')
    expect(await books(userId)).toMatchObject({ free: 10, leased: 90 })
    expect(await codeOf(reserve(ledger, 'too much', userId, 200))).toBe('quota.user')
    clock.advance(2000)
    await ledger.sweep()
    expect(await books(userId)).toMatchObject({ free: 100, leases: 0 })
    await ledger.close()
  })

  test('a worker whose heartbeat stands still stops spending, and others return its leases', async () => {
    const userId = await aUser(world().database, 1000)
    const { clock, ledgers } = await openSeveral(world().database, 2)
    const [silent, watcher] = ledgers
    if (!silent || !watcher) throw new Error('two were opened')
    const running = await reserve(silent, 'running', userId, 10)
    await watcher.beat()
    clock.advance(45_000)
    expect(await codeOf(reserve(silent, 'fenced', userId, 1))).toBe('ledger.unavailable')
    await watcher.beat()
    expect((await books(userId)).leases).toBe(1)
    clock.advance(16_000)
    await watcher.beat()
    expect(await books(userId)).toMatchObject({ free: 1000, leases: 0 })
    await silent.beat()
    await silent.charge(running, aCharge(8))
    silent.release(await reserve(silent, 'again', userId, 10))
    for (const ledger of ledgers) await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 992, used: 8, leases: 0 })
  })

  test('a worker that cannot read its journal folder keeps its heartbeat', async () => {
    const userId = await aUser(world().database, 1000)
    const clock = new FakeTime()
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
    const journalFolder = join(folder, 'journals')
    const ledger = await open({
      clock,
      journalFolder,
      openJournal: (_path, ...rest) => openJournal(join(folder, 'w.journal'), ...rest),
    })
    // A file in its place: a listing fails as it does without a free file descriptor.
    writeFileSync(journalFolder, '')
    clock.advance(30_000)
    await ledger.beat()
    clock.advance(30_000)
    ledger.release(await reserve(ledger, 'alive', userId, 10))
    await ledger.close()
  })

  test('a text that PostgreSQL refuses does not hold up the billing', async () => {
    const userId = await aUser(world().database, 1000)
    const ledger = await open()
    const odd = { content: 'a\0b', other: '"\ud800"', modelName: 'm'.repeat(5000), promptTokens: Number.NaN }
    await ledger.charge(await reserve(ledger, 'odd', userId, 10), aCharge(10, odd))
    await ledger.close()
    expect(await books(userId)).toMatchObject({ used: 10 })
  })

  test('failed attempts are logged and counted by the hour, refused calls are logged only, and both move no money', async () => {
    const { query } = world().database
    const userId = await aUser(world().database, 1000)
    const ledger = await open()
    for (const index of [1, 2, 3])
      ledger.record(`e${index}`, anEntry({ userId, type: 6, content: 'failed', errorCode: 'upstream.failed' }))
    ledger.record('refused', anEntry({ userId, type: 6, content: 'refused' }))
    ledger.record('t', anEntry({ userId, type: 1, content: 'top-up' }))
    ledger.record('silent', anEntry({ userId, type: 6, content: 'counted alone', errorCode: 'upstream.failed' }), false)
    await ledger.close()
    expect(await query.selectFrom('logs').selectAll().where('user_id', '=', userId).execute()).toHaveLength(5)
    const rollups = await query.selectFrom('rollups').selectAll().where('user_id', '=', userId).execute()
    expect(rollups.map(({ count, errors, quota }) => [count, errors, quota])).toEqual([[0, 4, 0]])
    expect(await books(userId)).toMatchObject({ free: 1000, used: 0, requests: 0 })
  })

  test('a call that waits for a lease when the ledger closes is refused, and nothing stays leased', async () => {
    const userId = await aUser(world().database, 100)
    const { ledgers } = await openSeveral(world().database, 2)
    const [first, second] = ledgers
    if (!first || !second) throw new Error('two were opened')
    const running = await reserve(first, 'running', userId, 100)
    const waiting = codeOf(reserve(second, 'waiting', userId, 50))
    await second.close()
    expect(await waiting).toBe('ledger.unavailable')
    first.release(running)
    await first.close()
    expect(await books(userId)).toMatchObject({ free: 100, leases: 0 })
  })

  test("a key's lease that was dropped while a call waited for its user's lease is not used beside the new one", async () => {
    const rich = await aUser(world().database, 1000)
    const poor = await aUser(world().database, 100)
    const tokenId = await aToken(world().database, rich, 500)
    const clock = new FakeTime()
    const first = await open({ clock })
    const running = await reserve(first, 'running', poor, 100)
    const early = Promise.withResolvers<Reservation>()
    let hasWaited = false
    const wait = async (ms: number) => {
      clock.advance(ms)
      if (hasWaited) return
      hasWaited = true
      await second.sweep()
      early.resolve(second.reserve('early', { userId: rich, tokenId, isTokenLimited: true }, 50))
      await early.promise
      first.release(running)
      await first.sweep()
    }
    const second = await open({ clock, timers: { ...systemTimers, wait } })
    const late = await second.reserve('late', { userId: poor, tokenId, isTokenLimited: true }, 50)
    const held = [await early.promise, late].filter((one) => one instanceof HeldReservation)
    expect(held.map(({ requestId }) => requestId)).toEqual(['early', 'late'])
    expect(held[0]?.token === held[1]?.token).toBe(true)
    for (const reservation of held) second.release(reservation)
    for (const ledger of [first, second]) await ledger.close()
  })

  test('a lease stays while a call runs on it that reserved nothing', async () => {
    const userId = await aUser(world().database, 1000)
    const clock = new FakeTime()
    const ledger = await open({ clock })
    ledger.release(await reserve(ledger, 'first', userId, 10))
    const free = await reserve(ledger, 'free', userId, 0)
    clock.advance(2000)
    await ledger.sweep()
    expect((await books(userId)).leases).toBe(1)
    await ledger.charge(free, aCharge(5, { userId }))
    await ledger.waitUntilApplied()
    clock.advance(2000)
    await ledger.sweep()
    expect(await books(userId)).toMatchObject({ free: 995, used: 5, leases: 0 })
    await ledger.close()
  })

  test('a disk that fails after it did what was asked doubles nothing and holds no lease', async () => {
    const userId = await aUser(world().database, 1000)
    const failing = new Set(['append', 'remove'])
    const failOnce = (what: string) => {
      if (failing.delete(what)) throw new Error('disk')
    }
    const clock = new FakeTime()
    const ledger = await open({
      clock,
      timers: { ...systemTimers, wait: () => Bun.sleep(0) },
      openJournal: (path, durability) => {
        const journal = openJournal(path, durability)
        const append = journal.append.bind(journal)
        const remove = journal.remove.bind(journal)
        return Object.assign(journal, {
          append: (...parameters: Parameters<typeof append>) => {
            append(...parameters)
            failOnce('append')
          },
          remove: (...parameters: Parameters<typeof remove>) => {
            remove(...parameters)
            failOnce('remove')
          },
        })
      },
    })
    await ledger.charge(await reserve(ledger, 'disk', userId, 10), aCharge(10))
    await ledger.waitUntilApplied()
    clock.advance(2000)
    await ledger.sweep()
    expect(failing.size).toBe(0)
    expect(await books(userId)).toMatchObject({ free: 990, used: 10, leases: 0 })
    await ledger.close()
  })

  test('a closed ledger takes no call', async () => {
    const userId = await aUser(world().database, 1000)
    const ledger = await open()
    await ledger.close()
    expect(await codeOf(reserve(ledger, 'closed', userId, 1))).toBe('ledger.unavailable')
    expect(await world().database.query.selectFrom('leases').selectAll().execute()).toEqual([])
  })
})
