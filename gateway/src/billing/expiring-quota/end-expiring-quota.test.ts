import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { daySeconds, paymentRoutes, planRoutes, redemptionRoutes, walletRoutes } from '@tollgate/contract'
import * as fc from 'fast-check'

import { createTestConsole } from '../../../test/console-client'
import { creditsOf } from '../../../test/credits'
import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { aCharge } from '../../../test/ledger'
import { aPaymentSite, notificationOf, notify, outcomeOf, type PaymentSite } from '../../../test/payment-site'
import { createPlan } from '../../console-api/plans/change-plans'
import { createCodes } from '../../console-api/redemption-codes/create-codes'
import { walletHandlers } from '../../console-api/wallet/wallet'
import { refundOrder } from '../payments/refund-order'
import { buyPlan } from '../plans/buy-plan'
import { endSubscription } from '../plans/subscription'
import { endExpiringQuota } from './end-expiring-quota'

setDefaultTimeout(120_000)

const { signal } = new AbortController()

describe.each(kinds)('redeemed quota that expires (%s)', (kind) => {
  const once = onceOf(kind)

  let world: PaymentSite
  let calls: number
  beforeEach(async () => {
    world = await aPaymentSite(kind)
    calls = 0
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const end = () => endExpiringQuota(world.ctx, signal)
  const passDays = (days: number) => world.passSeconds(days * daySeconds)
  const aUser = async () => {
    const { id, client: payments } = await world.aUser()
    const wallet = createTestConsole(world.ctx, walletHandlers)
    const payerOf = (subscriptionId?: number) => ({ userId: id, tokenId: 0, isTokenLimited: false, subscriptionId })
    const client = async () => world.site.client(await world.site.signIn(id))
    return {
      id,
      balance: async () => (await world.ctx.ledger.balanceOf([id])).get(id) ?? 0,
      redeem: async (quota: number, days: number) => {
        const [key = ''] = await createCodes(world.ctx, 1, { name: 'spring', quota, quota_days: days })
        return (await client()).call(redemptionRoutes.redeemCode, { body: { key } })
      },
      redeemKey: async (key: string) =>
        outcomeOf((await client()).call(redemptionRoutes.redeemCode, { body: { key } })),
      shown: async () => wallet.client(await wallet.signIn(id)).call(walletRoutes.expiringQuota),
      statement: async () =>
        (await wallet.client(await wallet.signIn(id)).call(walletRoutes.statement, { query: {} })).movements,
      reserve: (amount: number) => world.ctx.ledger.reserve(`held-${(calls += 1)}`, payerOf(), amount),
      order: async (plan_id: number) => {
        const body = { plan_id, payment_method: 'zfb' }
        const { data: fields, envelopeFields } = await payments.callWhole(paymentRoutes.pay, { body })
        return { fields, number: envelopeFields.trade_no }
      },
      spend: async (cost: number, subscriptionId?: number) => {
        const reservation = await world.ctx.ledger.reserve(`call-${(calls += 1)}-${id}`, payerOf(subscriptionId), 0)
        await world.ctx.ledger.charge(reservation, aCharge(cost, { userId: id, tokenId: 0, createdAt: world.now() }))
        await world.ctx.ledger.waitUntilApplied()
      },
    }
  }
  const give = (userId: number, amount: number) =>
    world.ctx.ledger.credit({ id: `gift:${(calls += 1)}`, userId, kind: 'setup', amount })

  test('what is unspent is taken back when it ends, once, as a line of the statement and the log', async () => {
    const user = await aUser()
    const endsAt = world.now() + 30 * daySeconds
    expect(await user.redeem(1000, 30)).toEqual({ quota: 1000, is_gift: false, ends_at: endsAt, plan: '' })
    await give(user.id, 50)
    await user.spend(300)
    expect(await user.shown()).toEqual([{ quota: 1000, unspent: 700, ends_at: endsAt }])
    world.passSeconds(30 * daySeconds - 1)
    await end()
    expect(await user.balance()).toBe(750)
    world.passSeconds(1)
    await Promise.all([end(), end(), end()])
    await end()
    expect(await user.balance()).toBe(50)
    expect(await user.shown()).toEqual([])
    expect((await creditsOf(world.ctx.database, user.id)).filter(([kindOf]) => kindOf === 'expiry')).toEqual([
      ['expiry', -700],
    ])
    expect(await user.statement()).toContainEqual(
      expect.objectContaining({ kind: 'expiry', amount: -700, trade_no: '' }),
    )
    const log = await eventually(() =>
      world.ctx.database.query
        .selectFrom('logs')
        .select('content')
        .where('user_id', '=', user.id)
        .where('content', 'like', '%log.quota_expired%')
        .executeTakeFirst(),
    )
    expect(log).toBeDefined()
  })

  once('what was spent is not taken back, also where it was paid for with more than the code gave', async () => {
    const user = await aUser()
    await give(user.id, 500)
    await user.redeem(100, 1)
    await user.spend(450)
    passDays(1)
    await end()
    expect(await user.balance()).toBe(150)
    expect((await creditsOf(world.ctx.database, user.id)).some(([kindOf]) => kindOf === 'expiry')).toBe(false)
  })

  once('spending before the redemption uses up none of it', async () => {
    const user = await aUser()
    await give(user.id, 500)
    await user.spend(200)
    await user.redeem(100, 1)
    passDays(1)
    await end()
    expect(await user.balance()).toBe(300)
  })

  once('spending comes from what ends first, and counts once', async () => {
    const user = await aUser()
    await user.redeem(100, 9)
    await user.redeem(100, 2)
    await user.spend(150)
    expect((await user.shown()).map(({ unspent }) => unspent)).toEqual([0, 50])
    passDays(2)
    await end()
    expect(await user.balance()).toBe(50)
    passDays(7)
    await end()
    expect(await user.balance()).toBe(0)
  })

  once('an expiry agrees with what ended, and every change to one side is found', async () => {
    const user = await aUser()
    await user.redeem(100, 1)
    await user.spend(30)
    passDays(1)
    await end()
    expect(await world.differences()).toEqual([])
    const { query } = world.ctx.database
    await query.updateTable('expiring_quota').set({ unspent: 71 }).execute()
    expect(await world.differences()).toMatchObject([{ check: 'expiry-credit', id: user.id, found: 70, expected: 71 }])
    await query.updateTable('expiring_quota').set({ unspent: 70, ended_at: null }).execute()
    expect(await world.differences()).toMatchObject([{ check: 'expiry-credit', found: 70, expected: 0 }])
  })

  once('a debt is not made larger', async () => {
    const user = await aUser()
    await user.redeem(100, 1)
    await world.ctx.ledger.adjustBalance('cut', user.id, -30)
    passDays(1)
    await end()
    expect(await user.balance()).toBe(-30)
    expect(await user.shown()).toEqual([])
  })

  once('a call in flight keeps what it reserved, and its charge does not take the balance below zero', async () => {
    const user = await aUser()
    await user.redeem(100, 1)
    const reservation = await user.reserve(60)
    passDays(1)
    await end()
    expect(await user.balance()).toBe(60)
    await world.ctx.ledger.charge(reservation, aCharge(60, { userId: user.id, tokenId: 0 }))
    await world.ctx.ledger.waitUntilApplied()
    expect(await user.balance()).toBe(0)
  })

  once('what workers hold idle is taken back as well', async () => {
    const user = await aUser()
    await user.redeem(1_000_000, 1)
    world.ctx.ledger.release(await user.reserve(10))
    passDays(1)
    await end()
    expect(await user.balance()).toBe(0)
  })

  describe('with a plan', () => {
    const aPlan = (price: number) =>
      createPlan(world.ctx, planRoutes.PlanSettings.parse({ name: 'Pro', price, length: 1, unit: 'month' }))
    const unspentOf = async (user: Awaited<ReturnType<typeof aUser>>) =>
      (await user.shown()).map(({ unspent }) => unspent)

    once(
      'a plan that is paid from the wallet spends it, and what is returned for the plan is unspent again',
      async () => {
        const user = await aUser()
        await user.redeem(100, 9)
        await user.redeem(100, 5)
        await give(user.id, 50)
        const { id } = await buyPlan(world.ctx, { userId: user.id, planId: await aPlan(160), renews: false })
        expect(await unspentOf(user)).toEqual([0, 40])
        await user.redeem(1000, 30)
        expect(await unspentOf(user)).toEqual([0, 40, 1000])
        await world.ctx.database.query
          .transaction()
          .execute((transaction) =>
            endSubscription(world.ctx, transaction, { id }, () => Promise.resolve({ reason: 'rest', amount: 110 })),
          )
        expect(await unspentOf(user)).toEqual([50, 100, 1000])
        passDays(30)
        await end()
        expect(await user.balance()).toBe(50)
      },
    )

    once('calls that a plan pays for spend none of it', async () => {
      const user = await aUser()
      await give(user.id, 10)
      const { id } = await buyPlan(world.ctx, { userId: user.id, planId: await aPlan(10), renews: false })
      await user.redeem(100, 1)
      await user.spend(70, id)
      await user.spend(5)
      expect(await unspentOf(user)).toEqual([95])
      passDays(1)
      await end()
      expect(await user.balance()).toBe(0)
    })

    once('a plan that an order pays for spends none of it, refunded or not', async () => {
      const user = await aUser()
      await user.redeem(100, 1)
      const { number, fields } = await user.order(await aPlan(500_000))
      await notify(world, notificationOf(fields))
      expect([await user.balance(), await unspentOf(user)]).toEqual([100, [100]])
      await refundOrder(world.ctx, { number, isPaidBack: true, operatorId: 1, requestId: 'refund' })
      expect([await user.balance(), await unspentOf(user)]).toEqual([100, [100]])
      passDays(1)
      await end()
      expect(await user.balance()).toBe(0)
    })
  })

  once('a gift code ends for each of its users by itself', async () => {
    const [ann, ben] = [await aUser(), await aUser()]
    const gift = { name: 'gift', quota: 100, quota_days: 2, key: 'WELCOME-2', is_gift: true }
    await createCodes(world.ctx, 1, gift)
    expect(await ann.redeemKey('WELCOME-2')).toBe('ok')
    passDays(1)
    expect(await ben.redeemKey('WELCOME-2')).toBe('ok')
    passDays(1)
    await end()
    expect([await ann.balance(), await ben.balance()]).toEqual([0, 100])
    passDays(1)
    await end()
    expect(await ben.balance()).toBe(0)
  })

  once('a code for good credits for good', async () => {
    const user = await aUser()
    expect(await user.redeem(100, 0)).toMatchObject({ ends_at: 0 })
    passDays(400)
    await end()
    expect(await user.balance()).toBe(100)
  })

  test('balances follow a book kept by hand, whatever is redeemed, credited, spent and ends', async () => {
    const amount = fc.integer({ min: 1, max: 1000 })
    const days = fc.integer({ min: 1, max: 4 })
    const step = fc.oneof(
      fc.record({ kind: fc.constant('redeem' as const), amount, days }),
      fc.record({ kind: fc.constantFrom('spend' as const, 'credit' as const), amount, days: fc.constant(0) }),
      fc.record({ kind: fc.constant('wait' as const), amount: fc.constant(0), days }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const user = await aUser()
        const book = new Book()
        for (const { kind: what, amount: quota, days: length } of steps) {
          if (what === 'redeem') {
            await user.redeem(quota, length)
            book.redeem(quota, world.now() + length * daySeconds)
          } else if (what === 'credit') {
            await give(user.id, quota)
            book.balance += quota
          } else if (what === 'spend') {
            if (book.balance <= 0) continue
            await user.spend(quota)
            book.spend(quota)
          } else {
            for (let day = 0; day < length; day += 1) {
              passDays(1)
              await end()
              book.end(world.now())
            }
          }
          expect(await user.balance()).toBe(book.balance)
          const unspent = (await user.shown()).map((part) => part.unspent)
          expect(unspent).toEqual(book.open.map((part) => part.unspent))
        }
      }),
      { numRuns: 10 },
    )
    expect((await world.differences()).filter(({ name }) => !name?.startsWith('gift:'))).toEqual([])
  })
})

interface Part {
  unspent: number
  readonly endsAt: number
}

/** What a user has, by the rules as an operator would explain them. */
class Book {
  balance = 0
  open: Part[] = []

  redeem(quota: number, endsAt: number): void {
    this.balance += quota
    this.open = [...this.open, { unspent: quota, endsAt }].sort((one, other) => one.endsAt - other.endsAt)
  }

  spend(cost: number): void {
    this.balance -= cost
    let left = cost
    for (const part of this.open) {
      const taken = Math.min(left, part.unspent)
      part.unspent -= taken
      left -= taken
    }
  }

  end(now: number): void {
    for (const part of this.open.filter(({ endsAt }) => endsAt <= now))
      this.balance -= Math.min(part.unspent, Math.max(this.balance, 0))
    this.open = this.open.filter(({ endsAt }) => endsAt > now)
  }
}
