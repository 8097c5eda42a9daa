import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { startEpay, type EpayService } from '@tollgate/simulator'

import { kinds, onceOf } from '../../../test/kinds'
import { aPaymentSite, type PaymentSite } from '../../../test/payment-site'
import { pollPendingOrders } from './poll-pending-orders'

setDefaultTimeout(120_000)

describe.each(kinds)('orders that are not paid (%s)', (kind) => {
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

  const pollOrders = (signal = new AbortController().signal) => pollPendingOrders(world.ctx, signal)
  const aPendingOrder = async () => {
    const { fields, number } = await (await world.aUser()).pay(10)
    service.open(fields)
    return number
  }

  once(
    'the service is queried after two minutes, then after pauses that double up to six hours, for two days',
    async () => {
      const number = await aPendingOrder()
      const { created_at: createdAt } = await world.rowOf(number)
      const pauses: number[] = []
      for (;;) {
        const { ask_at: nextQueryAt } = await world.rowOf(number)
        if (nextQueryAt === null) break
        pauses.push((nextQueryAt - world.now()) / 60)
        world.passSeconds(nextQueryAt - world.now() - 1)
        await pollOrders()
        expect((await world.rowOf(number)).ask_at).toBe(nextQueryAt)
        world.passSeconds(1)
        await pollOrders()
      }
      expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, ...Array.from({ length: 7 }, () => 360)])
      expect(world.now() - createdAt).toBeGreaterThanOrEqual(2 * 86_400)
      expect(await world.rowOf(number)).toMatchObject({ status: 'expired', ask_at: null })
    },
  )

  test('a pass queries no more orders once it is stopped', async () => {
    const number = await aPendingOrder()
    world.passSeconds(120)
    const stopped = new AbortController()
    stopped.abort()
    await pollOrders(stopped.signal)
    expect(await world.rowOf(number)).toMatchObject({ asked: 0 })
    await pollOrders()
    expect(await world.rowOf(number)).toMatchObject({ asked: 1, status: 'pending' })
  })
})
