import { expect, test } from 'bun:test'

import { windowRoutes } from '@tollgate/contract'
import * as fc from 'fast-check'

import { onBothDatabases } from '../../../../test/databases'
import { eventually } from '../../../../test/eventually'
import { FakeTime } from '../../../../test/fake-time'
import { aCharge, aUser, booksOf, ledgerOptions } from '../../../../test/ledger'
import { codeOf, openSeveral } from '../../../../test/ledger-workers'
import { aWindow, periodsOf } from '../../../../test/windows'
import type { WindowRow } from '../../../platform/store/tables'
import { AppError } from '../../../platform/app-error'
import { openJournal } from '../journal/journal'
import { LeaseKeeper } from '../lease/lease-keeper'
import { createLeaseStore } from '../lease/lease-store'
import { openLedger, type LedgerWorker } from '../open-ledger'
import type { Payer } from '../ledger'
import { setWindowsIn } from './set-windows'
import type { LimitWindow } from './limit-window'
import { WindowLeases } from './window-leases'

const rich = 1_000_000

onBothDatabases('windows', (world) => {
  const payerOf = async (columns: readonly Partial<WindowRow>[]) => {
    const { database } = world()
    const userId = await aUser(database, rich)
    const windows: LimitWindow[] = []
    for (const [index, some] of columns.entries())
      windows.push(await aWindow(database, userId, { name: `w${index}`, ...some }))
    return { payer: { userId, tokenId: 0, isTokenLimited: false, windows } satisfies Payer, windows }
  }
  let calls = 0
  const call = async (ledger: LedgerWorker, payer: Payer, cost = 10, tokens = { prompt: 10, completion: 5 }) => {
    const reservation = await ledger.reserve(`call-${(calls += 1)}`, payer, { max: cost, min: cost, tokens })
    await ledger.charge(
      reservation,
      aCharge(cost, { userId: payer.userId, promptTokens: tokens.prompt, completionTokens: tokens.completion }),
    )
  }
  const readUsed = async (window: LimitWindow) => (await periodsOf(world().database, window)).map(({ used }) => used)

  test('the first that is used up refuses, and says which, how much and when it begins anew', async () => {
    const { payer, windows } = await payerOf([
      { limit_amount: 3, name: 'Three a day' },
      { measure: 'quota', limit_amount: 500 },
    ])
    const clock = new FakeTime()
    const ledger = await openLedger(ledgerOptions(world().database, { clock }))
    for (let count = 0; count < 3; count += 1) await call(ledger, payer)
    const error = await ledger.reserve('refused', payer, 10).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      code: 'quota.window',
      status: 429,
      params: { name: 'Three a day', limit: 3, used: 3 },
      retryAfterSeconds: 86_400 - (clock.seconds() % 86_400),
    })
    await ledger.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[3], [30]])
    expect(await booksOf(world().database, payer.userId)).toMatchObject({ used: 30, leases: 0 })
  })

  test('a limit that never resets stays used up for a worker that does not know that its term is over', async () => {
    const { payer, windows } = await payerOf([{ span: 'always', limit_amount: 1 }])
    const { database } = world()
    const clock = new FakeTime()
    const first = await openLedger(ledgerOptions(database, { clock }))
    await call(first, payer)
    await first.close()
    await database.query.updateTable('window_periods').set({ ends_at: clock.seconds() }).execute()
    const second = await openLedger(ledgerOptions(database, { clock }))
    expect(await codeOf(call(second, payer))).toBe('quota.window')
    await second.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[1]])
  })

  test('a hundred parallel calls with four windows of which one has room for three: three are served', async () => {
    const { payer, windows } = await payerOf([
      { limit_amount: 3, span: 'five_hours' },
      { limit_amount: 1000, span: 'week' },
      { measure: 'quota', limit_amount: 100_000, span: 'month' },
      { measure: 'tokens', limit_amount: 100_000 },
    ])
    const { ledgers } = await openSeveral(world().database, 2)
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => {
        const ledger = ledgers[index % 2]
        if (!ledger) throw new Error('No worker')
        return call(ledger, payer)
      }),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const result of results)
      if (result.status === 'rejected') expect(await codeOf(Promise.reject(result.reason))).toBe('quota.window')
    for (const ledger of ledgers) await ledger.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[3], [3], [30], [45]])
  })

  test('what a call uses is booked in the period in which it was admitted', async () => {
    const {
      payer,
      windows: [window],
    } = await payerOf([{ limit_amount: 2, span: 'minute' }])
    if (!window) throw new Error('No window')
    const clock = new FakeTime()
    clock.advance(60_000 - (clock.now() % 60_000) - 1000)
    const ledger = await openLedger(ledgerOptions(world().database, { clock }))
    const early = await ledger.reserve('early', payer, 10)
    clock.advance(1000)
    await call(ledger, payer)
    await call(ledger, payer)
    expect(await codeOf(call(ledger, payer))).toBe('quota.window')
    await ledger.charge(early, aCharge(10, { userId: payer.userId }))
    await ledger.close()
    expect(await readUsed(window)).toEqual([1, 2])
  })

  test('a window that slides begins with its first call, on whichever worker', async () => {
    const {
      payer,
      windows: [window],
    } = await payerOf([{ limit_amount: 2, span: 'seconds', seconds: 30, is_sliding: 1 }])
    if (!window) throw new Error('No window')
    const {
      clock,
      ledgers: [first, second],
    } = await openSeveral(world().database, 2)
    if (!first || !second) throw new Error('No workers')
    const startedAt = clock.seconds()
    await call(first, payer)
    clock.advance(15_000)
    await call(second, payer)
    expect(await codeOf(call(first, payer))).toBe('quota.window')
    clock.advance(15_000)
    await call(second, payer)
    await first.close()
    await second.close()
    const periods = await periodsOf(world().database, window)
    expect(periods.map(({ used }) => used)).toEqual([2, 1])
    expect(periods[0]?.startsAt).toBe(startedAt)
  })

  test('figures of tokens below zero or between whole numbers never fill a window, and hold up no other charge', async () => {
    const { payer, windows } = await payerOf([
      { measure: 'tokens', limit_amount: 100 },
      { measure: 'prompt_tokens', limit_amount: 100 },
    ])
    const ledger = await openLedger(ledgerOptions(world().database))
    for (const [promptTokens, completionTokens] of [
      [-40, 5],
      [2.5, 5],
      [NaN, 5],
      [10, 5],
    ] as const) {
      const tokens = { prompt: 10, completion: 5 }
      const reservation = await ledger.reserve(`call-${(calls += 1)}`, payer, { max: 10, min: 10, tokens })
      await ledger.charge(reservation, aCharge(10, { userId: payer.userId, promptTokens, completionTokens }))
    }
    await ledger.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[32], [12]])
    expect(await booksOf(world().database, payer.userId)).toMatchObject({ used: 40, leases: 0 })
  })

  test('a call that costs nothing in the end leaves every window as it was', async () => {
    const { payer, windows } = await payerOf([
      {},
      { measure: 'quota', limit_amount: 100 },
      { measure: 'tokens', limit_amount: 100 },
    ])
    const ledger = await openLedger(ledgerOptions(world().database))
    ledger.release(
      await ledger.reserve('given up', payer, { max: 50, min: 50, tokens: { prompt: 30, completion: 30 } }),
    )
    await ledger.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[0], [0], [0]])
  })

  test('a call holds no more quota than its narrowest window, and takes more while it runs', async () => {
    const {
      payer,
      windows: [window],
    } = await payerOf([{ measure: 'quota', limit_amount: 400 }])
    if (!window) throw new Error('No window')
    const ledger = await openLedger(ledgerOptions(world().database))
    const reservation = await ledger.reserve('flexible', payer, { max: 1000, min: 10 })
    expect([reservation.amount, reservation.spendable]).toEqual([100, 400])
    expect(await ledger.extend(reservation, { max: 1000, min: 10 })).toBe(75)
    expect(reservation.amount).toBe(175)
    await ledger.charge(reservation, aCharge(170, { userId: payer.userId }))
    await ledger.close()
    expect(await readUsed(window)).toEqual([170])
  })

  test('calls at the same time are counted while they run', async () => {
    const {
      payer,
      windows: [window],
    } = await payerOf([{ measure: 'concurrent', span: 'always', limit_amount: 2 }])
    if (!window) throw new Error('No window')
    const ledger = await openLedger(ledgerOptions(world().database))
    const running = [await ledger.reserve('one', payer, 1), await ledger.reserve('two', payer, 1)]
    expect(await codeOf(ledger.reserve('three', payer, 1))).toBe('quota.window')
    for (const reservation of running) await ledger.charge(reservation, aCharge(1, { userId: payer.userId }))
    await call(ledger, payer)
    await ledger.close()
    expect(await readUsed(window)).toEqual([0])
  })

  test('work that ends later holds its windows, and gives back to each what it took', async () => {
    const { payer, windows } = await payerOf([{ limit_amount: 1 }, { measure: 'quota', limit_amount: 100 }])
    const ledger = await openLedger(ledgerOptions(world().database))
    const hold = (id: string) => ledger.hold({ id, payer, amount: 80 }, async () => null)
    const inTransaction = world().database.query.transaction()
    await hold(`h1-${payer.userId}`)
    expect(await Promise.all(windows.map(readUsed))).toEqual([[1], [80]])
    expect(await codeOf(hold(`h2-${payer.userId}`))).toBe('quota.window')
    await inTransaction.execute((transaction) => ledger.releaseHold(`h1-${payer.userId}`, transaction))
    expect(await Promise.all(windows.map(readUsed))).toEqual([[0], [0]])
    await hold(`h3-${payer.userId}`)
    const charge = aCharge(30, { userId: payer.userId })
    await inTransaction.execute((transaction) => ledger.settleHold(`h3-${payer.userId}`, charge, transaction))
    expect(await Promise.all(windows.map(readUsed))).toEqual([[1], [30]])
    await ledger.close()
  })

  test('a charge that cannot be made durable counts in none of its windows', async () => {
    const { payer, windows } = await payerOf([{ limit_amount: 1 }, { measure: 'quota', limit_amount: 20 }])
    const clock = new FakeTime()
    let isDiskFull = true
    const ledger = await openLedger(
      ledgerOptions(world().database, {
        clock,
        openJournal: (path, durability) => {
          const journal = openJournal(path, durability)
          const append = journal.append.bind(journal)
          return Object.assign(journal, {
            append: (...parameters: Parameters<typeof append>) => {
              if (isDiskFull) throw new Error('The disk is full')
              append(...parameters)
            },
            probe: () => {
              if (isDiskFull) throw new Error('The disk is full')
            },
          })
        },
      }),
    )
    const refused = codeOf(call(ledger, payer, 20))
    // Its commit is tried again, after longer than a charge may take.
    await eventually(async () => ledger.stats().pendingCharges > 0 || null)
    clock.advance(3000)
    expect(await refused).toBe('ledger.unavailable')
    isDiskFull = false
    await eventually(async () => ledger.problem() === null || null)
    await call(ledger, payer, 20)
    await ledger.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[1], [20]])
  })

  test('another limit holds for a period that had ended by the clock of the node that set one before', async () => {
    const { database } = world()
    const { payer, windows } = await payerOf([{ limit_amount: 2 }])
    const [window] = windows
    if (!window) throw new Error('No window')
    const clock = new FakeTime()
    const ledger = await openLedger(ledgerOptions(database, { clock }))
    await call(ledger, payer)
    await ledger.close()
    const setLimit = async (limit: number, ms: number) => {
      const settings = { id: window.id, name: 'w0', measure: 'requests', limit, span: 'day' }
      const windows = [windowRoutes.WindowSettings.parse(settings)]
      const owner = { owner: 'user', ref: String(payer.userId) } as const
      await database.query
        .transaction()
        .execute((transaction) => setWindowsIn({ database, clock: new FakeTime(ms) }, transaction, owner, windows))
    }
    await setLimit(5, clock.now() + 2 * 86_400_000)
    await setLimit(4, clock.now())
    const period = await database.query
      .selectFrom('window_periods')
      .select(['capacity', 'free'])
      .where('window_id', '=', window.id)
      .executeTakeFirst()
    expect(period).toEqual({ capacity: 4, free: 3 })
  })

  test('a call that begins after a period ended takes none of it, though an earlier look is still on its way', async () => {
    const { database } = world()
    const {
      windows: [window],
    } = await payerOf([{ span: 'minute' }])
    if (!window) throw new Error('No window')
    const clock = new FakeTime()
    clock.advance(60_000 - (clock.now() % 60_000) - 1000)
    const services = { store: createLeaseStore(database, clock), clock, timers: clock, onError: () => {} }
    const known = new WindowLeases({ database, leases: new LeaseKeeper('w', 's', services), clock })
    const early = known.find(window)
    clock.advance(1000)
    const late = known.find(window)
    const startsOf = async (found: typeof early) => {
      const id = (await found)?.periodId ?? 0
      return database.query.selectFrom('window_periods').select('starts_at').where('id', '=', id).executeTakeFirst()
    }
    expect(await startsOf(early)).toEqual({ starts_at: clock.seconds() - 60 })
    expect(await startsOf(late)).toEqual({ starts_at: clock.seconds() })
  })

  test('what several workers serve in parallel never exceeds a window but by the excess of the calls themselves', async () => {
    const { database } = world()
    const amount = fc.integer({ min: 1, max: 60 })
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          limits: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 3 }),
          calls: fc.array(fc.record({ estimate: amount, cost: amount, pause: fc.integer({ min: 0, max: 40_000 }) }), {
            minLength: 2,
            maxLength: 30,
          }),
        }),
        async ({ limits, calls: requested }) => {
          const { payer, windows } = await payerOf(
            limits.map((limit_amount) => ({ limit_amount, measure: 'quota', span: 'minute' }) as const),
          )
          const { clock, ledgers } = await openSeveral(database, 2)
          const spent = new Map<number, { cost: number; excess: number }>()
          await Promise.all(
            requested.map(async ({ estimate, cost, pause }, index) => {
              const ledger = ledgers[index % 2]
              if (!ledger) return
              if (index % 5 === 4) clock.advance(pause)
              const minute = clock.seconds() - (clock.seconds() % 60)
              const reservation = await ledger.reserve(`${payer.userId}-${index}`, payer, estimate).catch(() => null)
              if (!reservation) return
              await ledger.charge(reservation, aCharge(cost, { userId: payer.userId }))
              const sum = spent.get(minute) ?? { cost: 0, excess: 0 }
              spent.set(minute, { cost: sum.cost + cost, excess: sum.excess + Math.max(0, cost - estimate) })
            }),
          )
          for (const ledger of ledgers) await ledger.close()
          const total = [...spent.values()].reduce((sum, { cost }) => sum + cost, 0)
          const excess = [...spent.values()].reduce((sum, one) => sum + one.excess, 0)
          for (const window of windows) {
            const periods = await periodsOf(database, window)
            expect(periods.reduce((sum, { used }) => sum + used, 0)).toBe(total)
            expect(periods.every(({ leased }) => leased === 0)).toBe(true)
            for (const { used } of periods) expect(used).toBeLessThanOrEqual(window.limit + excess)
          }
        },
      ),
      { numRuns: database.kind === 'sqlite' ? 20 : 6 },
    )
  }, 120_000)
})
