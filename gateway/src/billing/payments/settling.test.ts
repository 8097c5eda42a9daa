import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'

import { startEpay, type EpayService } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { faultyDatabase, type Fault } from '../../../test/faulty-database'
import { kinds, onceOf } from '../../../test/kinds'
import { booksOf } from '../../../test/ledger'
import { aPaymentSite, type PaymentSite } from '../../../test/payment-site'
import type { Context } from '../../context'
import { openSqlite, type Database } from '../../platform/store/database'
import { DatabaseUnavailableError } from '../../platform/store/database-errors'
import { openPostgres } from '../../platform/store/postgres'
import { epay } from './epay/epay'
import type { CallbackRequest } from './provider'
import { receiveCallback } from './receive-callback'
import { refundOrder } from './refund-order'
import { resolveProblem } from './resolve-problem'

setDefaultTimeout(120_000)

describe.each(kinds)('settling (%s)', (kind) => {
  const once = onceOf(kind)

  let world: PaymentSite
  let service: EpayService
  beforeAll(async () => {
    service = startEpay()
    world = await aPaymentSite(kind, { PayAddress: service.url, EpayKey: service.key })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await service.stop()
  })

  const aPaidOrder = async () => {
    const user = await world.aUser()
    const { fields, number } = await user.pay(10)
    service.open(fields)
    service.pay(number)
    const request = {
      method: 'GET',
      query: service.notification(number),
      headers: new Headers(),
      body: new Uint8Array(),
    }
    return { user, number, request }
  }
  const books = async (userId: number) => {
    const { free, credited } = await booksOf(world.ctx.database, userId)
    return { free, credited }
  }

  test('a hundred parallel notifications through two connections credit once', async () => {
    const { user, number, request } = await aPaidOrder()
    const { ctx } = world
    const second = another(ctx)
    const seen = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        receiveRepeated(at % 2 ? { ...ctx, database: second } : ctx, request, `parallel-${at}`),
      ),
    )
    await second.close()
    expect(seen.filter(({ isAccepted }) => isAccepted)).toHaveLength(100)
    expect(seen.filter(({ applied }) => applied?.outcome === 'applied')).toHaveLength(1)
    expect(await books(user.id)).toEqual({ free: 5_000_000, credited: 5_000_000 })
    expect((await world.eventsOf(number)).map(({ outcome }) => outcome)).toEqual(['applied'])
  })

  const crashes = (['refused', 'answer-lost'] as const).map((fault) => [fault] as const)

  test.each(crashes)(
    'a notification whose handling ends at any step credits once when it is repeated (%s)',
    async (fault) => {
      for (let step = 0; ; step += 1) {
        const { user, number, request } = await aPaidOrder()
        const { nextFault, hasStruck } = faultAt(step, fault)
        const failing = { ...world.ctx, database: faultyDatabase(world.ctx.database, nextFault) }
        const first = await receiveCallback(failing, epay, request, 'crash').catch(() => null)
        // Its arrival is not confirmed before it is committed.
        if (first?.isAccepted) expect((await world.rowOf(number)).status).toBe('paid')
        const again = await receiveCallback(world.ctx, epay, request, 'repeat')
        expect([step, again.isAccepted]).toEqual([step, true])
        expect(await books(user.id)).toEqual({ free: 5_000_000, credited: 5_000_000 })
        if (!hasStruck()) break
      }
      expect(await world.differences()).toEqual([])
    },
  )

  test('a notification is accepted and logged although the database is away once it is committed', async () => {
    const { user, request } = await aPaidOrder()
    const database = faultyDatabase(world.ctx.database, awayAfterCommit())
    const { isAccepted } = await receiveCallback({ ...world.ctx, database }, epay, request, `logged-${user.id}`)
    expect(isAccepted).toBe(true)
    expect(await logRowOf(`logged-${user.id}`)).toEqual({ user_id: user.id, username: user.username })
  })

  test('a refund reaches the service although the database is away once the quota is taken', async () => {
    const { user, number, request } = await aPaidOrder()
    await receiveCallback(world.ctx, epay, request, 'paid')
    const database = faultyDatabase(world.ctx.database, awayAfterCommit())
    const requestId = `refund-of-${user.id}`
    const refundRequest = { number, amount: '18.25', isPaidBack: false, operatorId: 1, requestId }
    await refundOrder({ ...world.ctx, database }, refundRequest).catch(() => null)
    expect(service.orders.get(number)?.refunded).toHaveLength(1)
    expect(await logRowOf(requestId)).toEqual({ user_id: user.id, username: user.username })
  })

  once('a resolved order is logged although the database is away once it is committed', async () => {
    const { user, number, request } = await aPaidOrder()
    await receiveCallback(world.ctx, epay, request, 'paid')
    const refundRequest = { number, isPaidBack: false, operatorId: 1, requestId: 'asked' }
    const failingDatabase = faultyDatabase(world.ctx.database, awayAfterCommit())
    await refundOrder({ ...world.ctx, database: failingDatabase }, refundRequest).catch(() => null)
    world.passSeconds(61)
    const database = faultyDatabase(world.ctx.database, awayAfterCommit())
    const requestId = `resolved-${user.id}`
    await resolveProblem({ ...world.ctx, database }, { number, wasPaidBack: false, operatorId: 1, requestId })
    expect(await logRowOf(requestId)).toEqual({ user_id: user.id, username: user.username })
  })

  /** Resolves with the log row of a request, once it is written. */
  const logRowOf = (requestId: string) =>
    eventually(() =>
      world.ctx.database.query
        .selectFrom('logs')
        .select(['user_id', 'username'])
        .where('request_id', '=', requestId)
        .executeTakeFirst(),
    )

  once.each(crashes)('a refund that ends at any step leaves consistent balances (%s)', async (fault) => {
    for (let step = 0; ; step += 1) {
      const { user, number, request } = await aPaidOrder()
      await receiveCallback(world.ctx, epay, request, 'paid')
      const { nextFault, hasStruck } = faultAt(step, fault)
      const failing = { ...world.ctx, database: faultyDatabase(world.ctx.database, nextFault) }
      const refundRequest = { number, amount: '18.25', isPaidBack: false, operatorId: 1, requestId: `refund-${step}` }
      await refundOrder(failing, refundRequest).catch(() => null)
      const paidBack = service.orders.get(number)?.refunded.length ?? 0
      const row = await world.rowOf(number)
      const { free } = await books(user.id)
      // Refunded money has taken its quota along.
      expect([step, row.refunded_minor, free]).toEqual(
        row.refunded_minor === 0 ? [step, 0, 5_000_000] : [step, 1825, 3_750_000],
      )
      if (paidBack > 0) expect(row.refunded_minor).toBe(1825)
      // An uncertain refund is marked.
      if (paidBack === 0 && row.refunded_minor > 0) expect(row.problem).toBe('refund')
      if (!hasStruck()) break
    }
    expect(await world.differences()).toEqual([])
  })

  test('two simultaneous refunds pay back no more than was paid', async () => {
    const { user, number, request } = await aPaidOrder()
    await receiveCallback(world.ctx, epay, request, 'paid')
    const refundRequest = { number, amount: '50.00', isPaidBack: false, operatorId: 1 }
    const seen = await Promise.allSettled(
      ['one', 'two', 'three'].map((requestId) => refundOrder(world.ctx, { ...refundRequest, requestId })),
    )
    expect(seen.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(service.orders.get(number)?.refunded).toHaveLength(1)
    expect((await books(user.id)).free).toBe(5_000_000 - Math.floor((5_000_000 * 50) / 73))
  })
})

/** Every call of the database is refused after its first commit. */
function awayAfterCommit(): (statement: string) => Fault {
  let isCommitted = false
  return (statement) => {
    if (isCommitted) return 'refused'
    isCommitted = statement === 'commit'
    return 'none'
  }
}

/** A fault at one step, counted from 0. */
function faultAt(step: number, fault: Fault) {
  let calls = -1
  const nextFault = (): Fault => {
    calls += 1
    return calls === step ? fault : 'none'
  }
  return { nextFault, hasStruck: () => calls >= step }
}

/** Receives a notification, again and again while no connection is free, as payment services repeat what is not accepted. */
async function receiveRepeated(ctx: Context, request: CallbackRequest, requestId: string) {
  for (;;) {
    try {
      return await receiveCallback(ctx, epay, request, requestId)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error
    }
  }
}

/** Returns another connection to the same data. */
const another = ({ database, config }: Context): Database =>
  database.kind === 'sqlite' ? openSqlite(join(config.dataDir, 'tollgate.sqlite')) : openPostgres(config.databaseUrl)
