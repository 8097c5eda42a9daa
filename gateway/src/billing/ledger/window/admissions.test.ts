import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { onBothDatabases } from '../../../../test/databases'
import { FakeTime } from '../../../../test/fake-time'
import { aCharge, aUser, booksOf, ledgerOptions } from '../../../../test/ledger'
import { openSeveral } from '../../../../test/ledger-workers'
import { aWindow, periodsOf } from '../../../../test/windows'
import type { WindowRow } from '../../../platform/store/tables'
import type { Admission, AttemptRange, FullWindow, Payer } from '../ledger'
import { openLedger, type LedgerWorker } from '../open-ledger'
import type { LimitWindow } from './limit-window'

const rich = 1_000_000
const range: AttemptRange = { cost: { max: 20, min: 5 }, tokens: { prompt: 10, completion: 30 } }

onBothDatabases('windows of channels', (world) => {
  let channels = 1000
  const createWindows = async (...columns: readonly Partial<WindowRow>[]) => {
    channels += 1
    const windows: LimitWindow[] = []
    for (const [index, some] of columns.entries())
      windows.push(await aWindow(world().database, channels, { owner: 'channel', name: `w${index}`, ...some }))
    return windows
  }
  const createPayer = async (): Promise<Payer> => ({
    userId: await aUser(world().database, rich),
    tokenId: 0,
    isTokenLimited: false,
  })
  let calls = 0
  const begin = async (ledger: LedgerWorker, payer: Payer, windows: readonly LimitWindow[]) => {
    const reservation = await ledger.reserve(`attempt-${(calls += 1)}`, payer, 10)
    return { reservation, admission: await ledger.admit(reservation, windows, range) }
  }
  const charge = (vendorCost?: number) => aCharge(10, { promptTokens: 10, completionTokens: 7, vendorCost })
  const readUsed = async (window: LimitWindow) => (await periodsOf(world().database, window)).map(({ used }) => used)
  const requireAdmitted = (admission: Admission | FullWindow): Admission => {
    if (admission.kind === 'full') throw new Error(`${admission.window.name} is full`)
    return admission
  }

  test('what served is drawn from every window with its charge: calls, tokens, and what the vendor charges', async () => {
    const windows = await createWindows(
      { limit_amount: 100 },
      { measure: 'tokens', limit_amount: 1000 },
      { measure: 'quota', limit_amount: 1000 },
      { measure: 'concurrent', span: 'always', limit_amount: 1 },
    )
    const ledger = await openLedger(ledgerOptions(world().database))
    const payer = await createPayer()
    const { reservation, admission } = await begin(ledger, payer, windows)
    await ledger.charge(reservation, charge(4))
    requireAdmitted(admission).leave()
    const { reservation: free, admission: second } = await begin(ledger, payer, windows)
    requireAdmitted(second).leave()
    await ledger.charge(free, charge())
    await ledger.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[2], [34], [4], [0]])
    expect(await booksOf(world().database, payer.userId)).toMatchObject({ used: 20, leases: 0 })
  })

  test('an attempt that failed gives back to every window, and the next one holds as much', async () => {
    const windows = await createWindows(
      { limit_amount: 1 },
      { measure: 'concurrent', span: 'always', limit_amount: 1 },
      { measure: 'quota', limit_amount: 20 },
    )
    const ledger = await openLedger(ledgerOptions(world().database))
    const payer = await createPayer()
    const reservation = await ledger.reserve('several attempts', payer, 10)
    for (let attempt = 0; attempt < 3; attempt += 1)
      await requireAdmitted(await ledger.admit(reservation, windows, range)).withdraw()
    expect(ledger.stats().windowsInUse).toBe(0)
    requireAdmitted(await ledger.admit(reservation, windows, range)).leave()
    ledger.release(reservation)
    await ledger.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[0], [0], [0]])
  })

  test('a full window holds nothing of the others, and is known for a second or until something is given back', async () => {
    const clock = new FakeTime()
    const windows = await createWindows(
      { limit_amount: 50 },
      { measure: 'concurrent', span: 'always', limit_amount: 1 },
    )
    const ledger = await openLedger(ledgerOptions(world().database, { clock }))
    const payer = await createPayer()
    const { reservation, admission } = await begin(ledger, payer, windows)
    expect(ledger.fullWindow(windows)).toBeNull()
    const { reservation: other, admission: full } = await begin(ledger, payer, windows)
    expect(full).toMatchObject({ kind: 'full', window: { name: 'w1' }, freeAt: clock.seconds() + 1 })
    expect(ledger.fullWindow(windows)).toMatchObject({ kind: 'full', window: { name: 'w1' } })
    clock.advance(1000)
    expect(ledger.fullWindow(windows)).toBeNull()
    expect((await ledger.admit(other, windows, range)).kind).toBe('full')
    requireAdmitted(admission).leave()
    expect(ledger.fullWindow(windows)).toBeNull()
    requireAdmitted(await ledger.admit(other, windows, range)).leave()
    for (const one of [reservation, other]) await ledger.charge(one, charge())
    await ledger.close()
    expect(await readUsed(windows[0] ?? expect.unreachable())).toEqual([2])
  })

  test('a full window says when it begins anew, and is asked again then', async () => {
    const clock = new FakeTime()
    const windows = await createWindows({ limit_amount: 1, span: 'minute' })
    const ledger = await openLedger(ledgerOptions(world().database, { clock }))
    const payer = await createPayer()
    const { reservation } = await begin(ledger, payer, windows)
    await ledger.charge(reservation, charge())
    const minute = clock.seconds() - (clock.seconds() % 60) + 60
    clock.advance((minute - clock.seconds()) * 1000 - 500)
    await ledger.beat()
    const { reservation: other, admission: full } = await begin(ledger, payer, windows)
    expect(full).toMatchObject({ kind: 'full', freeAt: minute })
    expect(ledger.fullWindow(windows)).not.toBeNull()
    clock.advance(500)
    expect(ledger.fullWindow(windows)).toBeNull()
    expect((await ledger.admit(other, windows, range)).kind).toBe('admitted')
    ledger.release(other)
    await ledger.close()
  })

  test('no attempt waits for what other workers hold: it finds it once they have given it back', async () => {
    const windows = await createWindows({ limit_amount: 60 })
    const {
      ledgers: [first, second],
      clock,
    } = await openSeveral(world().database, 2)
    if (!first || !second) throw new Error('No workers')
    const payer = await createPayer()
    // The first worker leases more than it uses.
    await begin(first, payer, windows)
    let admitted = 0
    const fill = async () => {
      while ((await begin(second, payer, windows)).admission.kind === 'admitted') admitted += 1
    }
    await fill()
    expect(admitted).toBeLessThan(59)
    clock.advance(1000)
    await first.sweep()
    await fill()
    expect(admitted).toBe(59)
    await first.close()
    await second.close()
  })

  test('a channel that serves already is drawn from beyond its windows', async () => {
    const windows = await createWindows({ limit_amount: 1 }, { measure: 'tokens', limit_amount: 20 })
    const ledger = await openLedger(ledgerOptions(world().database))
    const payer = await createPayer()
    for (let response = 0; response < 3; response += 1) {
      const reservation = await ledger.reserve(`response-${payer.userId}-${response}`, payer, 10)
      await ledger.draw(reservation, windows, range)
      await ledger.charge(reservation, charge())
    }
    await ledger.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[3], [51]])
  })

  test('work that ends later holds its place until then, and gives back what its failed attempts took', async () => {
    const windows = await createWindows(
      { measure: 'concurrent', span: 'always', limit_amount: 1 },
      { limit_amount: 5 },
      { measure: 'quota', limit_amount: 100 },
    )
    const ledger = await openLedger(ledgerOptions(world().database))
    const payer = { ...(await createPayer()), windows: [await aWindow(world().database, 1, { limit_amount: 9 })] }
    const [one, other] = [`work-${payer.userId}`, `other-${payer.userId}`]
    for (const id of [one, other]) await ledger.hold({ id, payer, amount: 10 }, async () => null)
    await requireAdmitted(await ledger.admitHeld(one, windows, range)).withdraw()
    requireAdmitted(await ledger.admitHeld(one, windows, range)).leave()
    expect(await ledger.admitHeld(other, windows, range)).toMatchObject({ kind: 'full', window: windows[0] })
    expect(await Promise.all(windows.map(readUsed))).toEqual([[1], [1], [20]])
    const inTransaction = world().database.query.transaction()
    await inTransaction.execute((transaction) => ledger.settleHold(one, charge(3), transaction))
    expect((await ledger.admitHeld(other, windows, range)).kind).toBe('admitted')
    await inTransaction.execute((transaction) => ledger.releaseHold(other, transaction))
    expect(await ledger.admitHeld(other, windows, range)).toMatchObject({ kind: 'admitted' })
    await ledger.close()
    expect(await Promise.all(windows.map(readUsed))).toEqual([[0], [1], [3]])
    expect(await readUsed(payer.windows[0] ?? expect.unreachable())).toEqual([1])
  })

  test('two workers never serve more calls, or more at the same time, than a window has; every unit returns', async () => {
    const { database } = world()
    const ending = fc.constantFrom('charged', 'released', 'withdrawn')
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          requests: fc.integer({ min: 1, max: 40 }),
          concurrent: fc.integer({ min: 1, max: 6 }),
          attempts: fc.array(fc.record({ ending, turns: fc.nat(4), pause: fc.nat(30_000) }), {
            minLength: 2,
            maxLength: 40,
          }),
        }),
        async ({ requests, concurrent, attempts }) => {
          const windows = await createWindows(
            { limit_amount: requests, span: 'minute' },
            { limit_amount: concurrent, measure: 'concurrent', span: 'always' },
          )
          const payer = await createPayer()
          const { clock, ledgers } = await openSeveral(database, 2)
          let inside = 0
          let maxInside = 0
          let charged = 0
          await Promise.all(
            attempts.map(async ({ ending: how, turns, pause }, index) => {
              const ledger = ledgers[index % 2]
              if (!ledger) return
              if (index % 7 === 6) {
                clock.advance(pause)
                await Promise.all(ledgers.map((one) => one.beat()))
              }
              // None for a worker whose heartbeat is late.
              const started = await begin(ledger, payer, windows).catch(() => null)
              if (!started) return
              const { reservation, admission } = started
              if (admission.kind === 'full') return ledger.release(reservation)
              inside += 1
              maxInside = Math.max(maxInside, inside)
              for (let turn = 0; turn < turns; turn += 1) await ledger.sweep()
              inside -= 1
              if (how === 'withdrawn') await admission.withdraw()
              admission.leave()
              if (how !== 'charged') return ledger.release(reservation)
              charged += 1
              await ledger.charge(reservation, charge())
            }),
          )
          for (const ledger of ledgers) {
            expect(ledger.stats().windowsInUse).toBe(0)
            await ledger.close()
          }
          const [ofRequests = [], ofConcurrent = []] = await Promise.all(
            windows.map((window) => periodsOf(database, window)),
          )
          expect(maxInside).toBeLessThanOrEqual(concurrent)
          expect(ofRequests.reduce((sum, { used }) => sum + used, 0)).toBe(charged)
          for (const { used, leased } of ofRequests) {
            expect(used).toBeLessThanOrEqual(requests)
            expect(leased).toBe(0)
          }
          expect(ofConcurrent.every(({ used, leased }) => used === 0 && leased === 0)).toBe(true)
        },
      ),
      { numRuns: database.kind === 'sqlite' ? 20 : 6 },
    )
  }, 120_000)
})
