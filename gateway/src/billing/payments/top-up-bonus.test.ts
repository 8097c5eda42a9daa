import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { paymentRoutes, walletRoutes } from '@tollgate/contract'

import { createTestConsole } from '../../../test/console-client'
import { creditsOf } from '../../../test/credits'
import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { aPaymentSite, notificationOf, notify, type PaymentSite } from '../../../test/payment-site'
import { walletHandlers } from '../../console-api/wallet/wallet'
import { refundOrder } from './refund-order'

setDefaultTimeout(120_000)

const unit = 500_000
const tiers = [
  { from: 10, percent: 100, once: true },
  { from: 10, percent: 2.5 },
  { from: 100, quota: 7_000_001 },
]

describe.each(kinds)('bonuses on top-ups (%s)', (kind) => {
  const once = onceOf(kind)

  let world: PaymentSite
  beforeEach(async () => {
    world = await aPaymentSite(kind, { TopUpBonuses: JSON.stringify(tiers) })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  type User = Awaited<ReturnType<PaymentSite['aUser']>>
  const order = (user: User, amount: number) => user.pay(amount)
  const pay = async (user: User, amount: number) => {
    const { fields, number } = await order(user, amount)
    expect(await notify(world, notificationOf(fields))).toBe('success')
    return number
  }
  const bonusesFor = async (user: User) => (await user.client.call(paymentRoutes.topUpInfo)).bonuses

  once('the largest tier that an amount reaches is credited with the order, as a line of its own', async () => {
    const user = await world.aUser()
    expect(await user.free()).toBe(0)
    await pay(user, 9)
    expect(await user.free()).toBe(9 * unit)
    const number = await pay(user, 100)
    expect(await user.free()).toBe(109 * unit + 7_000_001)
    expect(await creditsOf(world.ctx.database, user.id, number)).toEqual([
      ['bonus', 7_000_001],
      ['top-up', 100 * unit],
    ])
    expect(await user.order(number)).toMatchObject({ quota: 100 * unit, bonus: 7_000_001, bonus_taken: 0 })
    expect(await world.differences()).toEqual([])
  })

  once('a bonus stands on the statement with its order', async () => {
    const user = await world.aUser()
    const number = await pay(user, 100)
    const site = createTestConsole(world.ctx, walletHandlers)
    const client = site.client(await site.signIn(user.id))
    const { movements, credited } = await client.call(walletRoutes.statement, { query: {} })
    expect(movements).toContainEqual(expect.objectContaining({ kind: 'bonus', amount: 7_000_001, trade_no: number }))
    expect(credited).toBe(100 * unit + 7_000_001)
  })

  once('a tier that is given once is offered until an order with it is paid, then the next one counts', async () => {
    const user = await world.aUser()
    expect(await bonusesFor(user)).toEqual([
      { from: 10, quota: null, percent: 100, is_once: true },
      { from: 10, quota: null, percent: 2.5, is_once: false },
      { from: 100, quota: 7_000_001, percent: null, is_once: false },
    ])
    await order(user, 10)
    expect(await bonusesFor(user)).toHaveLength(3)
    await pay(user, 10)
    expect(await user.free()).toBe(20 * unit)
    expect(await bonusesFor(user)).toEqual([
      { from: 10, quota: null, percent: 2.5, is_once: false },
      { from: 100, quota: 7_000_001, percent: null, is_once: false },
    ])
    await pay(user, 10)
    expect(await user.free()).toBe(30 * unit + 125_000)
  })

  test('the first paid order brings a bonus that several promise and that is given once, also where they are paid at once', async () => {
    const user = await world.aUser()
    const orders = [await order(user, 10), await order(user, 20), await order(user, 30)]
    await Promise.all(orders.map(({ fields }) => notify(world, notificationOf(fields))))
    const rows = await Promise.all(orders.map(({ number }) => world.rowOf(number)))
    const bonuses = rows.map(({ bonus_credited: bonus }) => bonus).filter((bonus) => bonus > 0)
    expect(bonuses).toHaveLength(1)
    expect(await user.free()).toBe(60 * unit + (bonuses[0] ?? 0))
    expect(await world.differences()).toEqual([])
  })

  test('a user who had an account before gets no bonus that is given once', async () => {
    const user = await world.aUser()
    await world.ctx.database.query.updateTable('users').set({ is_returning: 1 }).where('id', '=', user.id).execute()
    expect((await bonusesFor(user)).map(({ is_once: isOnce }) => isOnce)).toEqual([false, false])
    await pay(user, 10)
    expect(await user.free()).toBe(10 * unit + 125_000)
  })

  once('an order keeps the bonus that it was created with', async () => {
    const user = await world.aUser()
    const { fields, number } = await order(user, 100)
    await world.set({ TopUpBonuses: '[]' })
    await notify(world, notificationOf(fields))
    expect(await user.free()).toBe(100 * unit + 7_000_001)
    await world.set({ TopUpBonuses: JSON.stringify(tiers) })
    const without = await world.rowOf(number)
    expect(without.bonus).toBe(7_000_001)
  })

  once('amounts are compared in dollars where users enter quota', async () => {
    await world.set({ DisplayInCurrencyEnabled: 'false' })
    const user = await world.aUser()
    expect((await bonusesFor(user)).map(({ from }) => from)).toEqual([10 * unit, 10 * unit, 100 * unit])
    await pay(user, 100 * unit - 1)
    expect(await user.free()).toBe(2 * (100 * unit - 1))
    await pay(user, 100 * unit)
    expect(await user.free()).toBe(2 * (100 * unit - 1) + 100 * unit + 7_000_001)
  })

  test('refunds take the bonus back in proportion, the last one all that is left, and it is used up', async () => {
    const user = await world.aUser()
    const number = await pay(user, 10)
    const refund = (amount: string, requestId: string) =>
      refundOrder(world.ctx, { number, amount, isPaidBack: true, operatorId: 1, requestId })
    await refund('18.25', 'first')
    expect(await user.free()).toBe(15 * unit)
    expect(await user.order(number)).toMatchObject({ bonus: 10 * unit, bonus_taken: 2.5 * unit })
    await refund('0.01', 'second')
    expect(await user.free()).toBe(2 * (10 * unit - Math.floor((10 * unit * 1826) / 7300)))
    await refund('54.74', 'third')
    expect(await user.free()).toBe(0)
    expect(await world.differences()).toEqual([])
    expect((await bonusesFor(user)).map(({ is_once: isOnce }) => isOnce)).toEqual([false, false])
    const texts = await eventually(async () => {
      const logs = await world.ctx.database.query
        .selectFrom('logs')
        .select('content')
        .where('user_id', '=', user.id)
        .execute()
      return logs.length === 8 ? logs.map(({ content }) => /log\.\w+/.exec(content)?.[0]) : undefined
    })
    expect(texts.filter((text) => text === 'log.bonus_taken')).toHaveLength(3)
  })
})
