import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { createTestConsole } from '../../test/console-client'
import { eventually } from '../../test/eventually'
import { FakeTime } from '../../test/fake-time'
import { anEntry, aUser, ledgerOptions } from '../../test/ledger'
import { createWorld, type World } from '../../test/world'
import type { Context } from '../context'
import { openJournal } from '../billing/ledger/journal/journal'
import { journalProblem } from '../billing/ledger/journal/journal-problem'
import { openLedger, type LedgerWorker } from '../billing/ledger/open-ledger'
import { registerGauges } from '../app/process/gauges'
import { Readiness } from './health-routes'

describe('a gateway whose journal takes nothing', () => {
  const time = new FakeTime()
  let world: World
  let ledger: LedgerWorker
  let ctx: Context
  /** The error code of everything that is written to the journal; null: it takes all. */
  let failure: string | null

  beforeEach(async () => {
    world = await createWorld()
    failure = null
    ledger = await openLedger({
      ...ledgerOptions(world.ctx.database, { clock: time, timers: time }),
      openJournal(path, durability) {
        const journal = openJournal(path, durability)
        const append = journal.append.bind(journal)
        const probe = journal.probe.bind(journal)
        const refuse = () => {
          if (failure !== null) throw Object.assign(new Error('refused'), { code: failure })
        }
        return Object.assign(journal, {
          append(...parameters: Parameters<typeof append>) {
            refuse()
            append(...parameters)
          },
          probe() {
            refuse()
            probe()
          },
        })
      },
    })
    ctx = { ...world.ctx, ledger }
  })
  afterEach(async () => {
    failure = null
    time.advance(1000)
    const closing = ledger.close()
    await eventually(async () => {
      time.advance(100)
      return Bun.peek.status(closing) === 'pending' ? null : true
    })
    await world[Symbol.asyncDispose]()
  })

  const checkReadiness = async () => {
    const ready = await createTestConsole(ctx, []).send('GET', '/health/ready')
    return [ready.status, await ready.json()]
  }

  test.each([
    ['SQLITE_FULL', 'disk'],
    ['EMFILE', 'files'],
    ['SQLITE_IOERR_WRITE', 'journal'],
  ])(
    'a gateway whose journal fails with %s is not ready for its %s, before any call, until the journal takes something',
    async (code, status) => {
      expect(await checkReadiness()).toEqual([200, { status: 'ready' }])
      failure = code
      expect(await checkReadiness()).toEqual([200, { status: 'ready' }])
      time.advance(5000)
      expect(await checkReadiness()).toEqual([503, { status }])
      failure = null
      await eventually(async () => {
        time.advance(500)
        return (await checkReadiness())[0] === 200 ? true : null
      })
    },
  )

  test('a charge that cannot be written makes the gateway not ready at once', async () => {
    const userId = await aUser(world.ctx.database, 1000)
    const reservation = await ledger.reserve('call', { userId, tokenId: 0, isTokenLimited: false }, 10)
    failure = 'SQLITE_FULL'
    const charge = ledger
      .charge(reservation, { cost: 1, entry: anEntry({ userId }), isLogged: true })
      .catch(() => 'given up')
    await Promise.resolve()
    expect(await checkReadiness()).toEqual([503, { status: 'disk' }])
    failure = null
    time.advance(1000)
    await charge
  })

  test('the metric of a gateway whose disk is full says that it is not ready', () => {
    const readiness = new Readiness()
    const parts = { inFlight: { count: 0, memory: { used: 0 } }, readiness, limiter: { isAlone: false } }
    registerGauges(ctx, parts)
    const value = () => ctx.metrics.read().find(({ name }) => name === 'tollgate_ready')?.samples[0]?.[1]
    expect(value()).toBe(1)
    failure = 'ENOSPC'
    time.advance(5000)
    expect(value()).toBe(0)
  })
})

test('an error of the journal that says neither that the disk is full nor that files ran out is one of the journal', () => {
  expect(journalProblem(new Error('odd'))).toBe('journal')
  expect(journalProblem('text')).toBe('journal')
})
