import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { daySeconds, invitationRoutes, walletRoutes } from '@tollgate/contract'
import * as fc from 'fast-check'

import { createTestConsole } from '../../../test/console-client'
import { creditsOf } from '../../../test/credits'
import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { booksOf } from '../../../test/ledger'
import { aPaymentSite, notificationOf, notify, type PaymentSite } from '../../../test/payment-site'
import { settleInvitations } from '../../app/jobs/settle-invitations'
import { addMember } from '../../accounts/users/add-member'
import type { InvitationState } from '../../accounts/users/invitations'
import { invitationHandlers } from '../../console-api/invitations/invitations'
import { walletHandlers } from '../../console-api/wallet/wallet'
import type { OrderRow } from '../../platform/store/tables'
import { applyEvent } from './apply-event'
import type { PaymentEvent } from './provider'
import { refundOrder } from './refund-order'
import { settleCommissions } from './settle-commissions'

setDefaultTimeout(120_000)

const unit = 500_000
const { signal } = new AbortController()

describe.each(kinds)('commissions (%s)', (kind) => {
  const once = onceOf(kind)

  let world: PaymentSite
  beforeEach(async () => {
    world = await aPaymentSite(kind, {
      InvitationCommissionRate: '7.5',
      InvitationCommissionDays: '5',
      InvitationCommissionDelayDays: '3',
    })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  type User = Awaited<ReturnType<PaymentSite['aUser']>>
  const settle = () => settleCommissions(world.ctx, signal)
  const passDays = (days: number) => world.passSeconds(days * daySeconds)
  const invite = (inviter: User, invitee: User, state: InvitationState = 'rewarded') =>
    world.ctx.database.query
      .insertInto('invitations')
      .values({
        invitee_id: invitee.id,
        inviter_id: inviter.id,
        address: '',
        device_hash: '',
        inviter_quota: 0,
        invitee_quota: 0,
        state,
        created_at: world.now(),
      })
      .execute()
  const aPair = async (state?: InvitationState) => {
    const [inviter, invitee] = [await world.aUser(), await world.aUser()]
    await invite(inviter, invitee, state)
    return { inviter, invitee }
  }
  const pay = async (user: User, amount = 10) => {
    const { fields, number } = await user.pay(amount)
    expect(await notify(world, notificationOf(fields))).toBe('success')
    return number
  }
  const refund = (number: string, amount: string, requestId: string) =>
    refundOrder(world.ctx, { number, amount, isPaidBack: true, operatorId: 1, requestId })
  const earnings = async (user: User) => {
    const site = createTestConsole(world.ctx, [...invitationHandlers, ...walletHandlers])
    const client = site.client(await site.signIn(user.id))
    return {
      ...(await client.call(invitationRoutes.commissions)),
      movements: (await client.call(walletRoutes.statement, { query: {} })).movements,
    }
  }

  test('a top-up of an invitee brings the inviter a share on its day, once, as a line of the statement without the order', async () => {
    const { inviter, invitee } = await aPair()
    await pay(invitee)
    await settle()
    const terms = { rate: 7.5, days: 5, delay_days: 3 }
    expect(await earnings(inviter)).toMatchObject({
      ...terms,
      pending: 375_000,
      next_at: world.now() + 3 * daySeconds,
      settled: 0,
      movements: [],
    })
    world.passSeconds(3 * daySeconds - 1)
    await settle()
    expect(await inviter.free()).toBe(0)
    world.passSeconds(1)
    await Promise.all([settle(), settle(), settle()])
    await settle()
    expect(await inviter.free()).toBe(375_000)
    expect(await invitee.free()).toBe(10 * unit)
    const { movements, ...sums } = await earnings(inviter)
    expect(sums).toEqual({ ...terms, pending: 0, next_at: null, settled: 375_000 })
    expect(movements).toEqual([expect.objectContaining({ kind: 'commission', amount: 375_000, trade_no: '' })])
    const log = await eventually(() =>
      world.ctx.database.query.selectFrom('logs').selectAll().where('user_id', '=', inviter.id).executeTakeFirst(),
    )
    expect(log.content).toContain('log.commission')
    expect(await world.differences()).toEqual([])
  })

  once('the bonus on a top-up brings no commission', async () => {
    await world.set({ TopUpBonuses: '[{"from":1,"percent":100}]' })
    const { inviter, invitee } = await aPair()
    await pay(invitee)
    passDays(3)
    await settle()
    expect([await invitee.free(), await inviter.free()]).toEqual([20 * unit, 375_000])
  })

  once('refunds before the day reduce what is credited, and later ones take it back in proportion', async () => {
    const { inviter, invitee } = await aPair()
    const number = await pay(invitee)
    await refund(number, '18.25', 'before')
    expect(await earnings(inviter)).toMatchObject({ pending: 281_250, settled: 0 })
    passDays(3)
    await settle()
    expect(await inviter.free()).toBe(281_250)
    await refund(number, '36.50', 'after')
    expect(await inviter.free()).toBe(93_750)
    await refund(number, '18.25', 'rest')
    expect(await inviter.free()).toBe(0)
    expect(await creditsOf(world.ctx.database, inviter.id)).toEqual([
      ['commission', 281_250],
      ['commission', -187_500],
      ['commission', -93_750],
    ])
    const logs = await eventually(async () => {
      const rows = await world.ctx.database.query
        .selectFrom('logs')
        .select(['content', 'other'])
        .where('user_id', '=', inviter.id)
        .execute()
      return rows.length === 3 ? rows : undefined
    })
    // What the invitee paid, and by which order, is not the inviter's to see.
    for (const { content, other } of logs) expect(`${content} ${other}`).not.toMatch(/CNY|USR/)
    expect(await world.differences()).toEqual([])
  })

  once('an order that is refunded as a whole before its day brings nothing', async () => {
    const { inviter, invitee } = await aPair()
    await refund(await pay(invitee), '73.00', 'whole')
    passDays(3)
    await settle()
    expect(await creditsOf(world.ctx.database, inviter.id)).toEqual([])
    expect(await earnings(inviter)).toMatchObject({ pending: 0, settled: 0 })
  })

  once('what was credited already may be taken back below zero', async () => {
    const { inviter, invitee } = await aPair()
    const number = await pay(invitee)
    passDays(3)
    await settle()
    await world.ctx.ledger.adjustBalance('spent', inviter.id, 0)
    await refund(number, '73.00', 'whole')
    expect(await inviter.free()).toBe(-375_000)
  })

  once('top-ups bring commission for as many days as the site says, and always where it names none', async () => {
    const { inviter, invitee } = await aPair()
    passDays(5)
    await pay(invitee)
    world.passSeconds(1)
    await pay(invitee)
    expect(await earnings(inviter)).toMatchObject({ pending: 375_000 })
    await world.set({ InvitationCommissionDays: '0' })
    await pay(invitee)
    expect(await earnings(inviter)).toMatchObject({ pending: 750_000 })
  })

  once('a site without a rate, or without invitations, notes no commission', async () => {
    const { inviter, invitee } = await aPair()
    await world.set({ InvitationCommissionRate: '0' })
    await pay(invitee)
    await world.set({ InvitationCommissionRate: '7.5', AffEnabled: 'false' })
    await pay(invitee)
    expect(await earnings(inviter)).toMatchObject({ rate: 0, pending: 0 })
  })

  once('an order keeps the rate and the day that it was paid with', async () => {
    const { inviter, invitee } = await aPair()
    await pay(invitee)
    await world.set({ InvitationCommissionRate: '50', InvitationCommissionDelayDays: '0' })
    await settle()
    expect(await inviter.free()).toBe(0)
    passDays(3)
    await settle()
    expect(await inviter.free()).toBe(375_000)
  })

  once.each(['related', 'capped'] as const)('an invitation that is %s brings no commission', async (state) => {
    const { inviter, invitee } = await aPair(state)
    await pay(invitee)
    expect(await earnings(inviter)).toMatchObject({ pending: 0 })
  })

  once('commission waits until its invitation is rewarded, and is dropped where that is refused', async () => {
    const set = (invitee: User, state: InvitationState) =>
      world.ctx.database.query.updateTable('invitations').set({ state }).where('invitee_id', '=', invitee.id).execute()
    const [first, second] = [await aPair('waiting'), await aPair('waiting')]
    await pay(first.invitee)
    await pay(second.invitee)
    passDays(4)
    await settle()
    expect(await first.inviter.free()).toBe(0)
    await set(first.invitee, 'rewarded')
    await set(second.invitee, 'related')
    await settle()
    expect([await first.inviter.free(), await second.inviter.free()]).toEqual([375_000, 0])
    await set(second.invitee, 'rewarded')
    await settle()
    expect(await second.inviter.free()).toBe(0)
    expect(await earnings(second.inviter)).toMatchObject({ pending: 0, settled: 0 })
  })

  once('an inviter whose account is closed gets nothing', async () => {
    const close = (user: User) =>
      world.ctx.database.query.updateTable('users').set({ deleted_at: world.now() }).where('id', '=', user.id).execute()
    const { inviter, invitee } = await aPair()
    await pay(invitee)
    await close(inviter)
    await pay(invitee)
    passDays(3)
    await settle()
    expect(await creditsOf(world.ctx.database, inviter.id)).toEqual([])
    const states = await world.ctx.database.query.selectFrom('commissions').select('state').execute()
    expect(states).toEqual([{ state: 'dropped' }])
  })

  once('circular invitations bring commission only from the younger account to the older', async () => {
    const { inviter: older, invitee: younger } = await aPair()
    await invite(younger, older)
    await invite(await world.aUser(), await world.aUser())
    const self = await world.aUser()
    await invite(self, self)
    for (const user of [older, younger, self]) await pay(user)
    expect(await earnings(older)).toMatchObject({ pending: 375_000 })
    expect(await earnings(younger)).toMatchObject({ pending: 0 })
    expect(await earnings(self)).toMatchObject({ pending: 0 })
  })

  test('a person who closes the account and registers again brings the inviter commission once', async () => {
    const inviter = await world.aUser()
    const register = (username: string) =>
      world.ctx.database.query.transaction().execute((transaction) =>
        addMember(
          world.ctx,
          {
            username,
            displayName: username,
            passwordHash: '',
            email: 'ann+new@example.com',
            invited: { inviterId: inviter.id, origin: { address: '', deviceHash: null } },
          },
          transaction,
        ),
      )
    const top = async ({ userId }: { userId: number }) => {
      const order = { number: `N${userId}`, provider: 'epay', merchant: '1001', method: 'alipay', currency: 'CNY' }
      const times = { created_at: world.now(), expires_at: world.now() + 60, ask_at: null }
      await world.ctx.database.query
        .insertInto('orders')
        .values({ ...order, ...times, user_id: userId, amount: 10, minor: 7300, quota: 10 * unit, status: 'pending' })
        .execute()
      const event = { id: order.number, orderNumber: order.number, kind: 'paid', minor: 7300 } as const
      const report = { provider: 'epay', source: 'callback', requestId: 'paid', payload: '' } as const
      await applyEvent(world.ctx, { ...event, merchant: '1001', currency: 'CNY' }, report)
    }
    const first = await register('ann')
    await top(first)
    await world.ctx.database.query
      .updateTable('users')
      .set({ deleted_at: world.now(), email: null })
      .where('id', '=', first.userId)
      .execute()
    const again = await register('ann-again')
    await top(again)
    expect(await earnings(inviter)).toMatchObject({ pending: 375_000 })
    const { is_returning: isReturning } = await world.ctx.database.query
      .selectFrom('users')
      .select('is_returning')
      .where('id', '=', again.userId)
      .executeTakeFirstOrThrow()
    expect(isReturning).toBe(1)
  })

  test('orders of a chain of invitees and the rewards of their invitations are settled at once without waiting for one another', async () => {
    const chain = [await world.aUser()]
    for (let length = 1; length < 4; length += 1) {
      const invitee = await world.aUser()
      await invite(chain.at(-1) ?? invitee, invitee)
      chain.push(invitee)
    }
    const invitees = chain.slice(1)
    const orders = await Promise.all(invitees.flatMap((user) => [pay(user), pay(user)]))
    passDays(3)
    await settle()
    await world.ctx.database.query
      .updateTable('invitations')
      .set({ state: 'waiting', inviter_quota: 10, invitee_quota: 10 })
      .execute()
    // All of them signed in at one address, which would make them related.
    await world.ctx.database.query.deleteFrom('sessions').execute()
    await Promise.all([
      ...orders.flatMap((number, index) => [
        refund(number, '7.30', `first-${index}`),
        refund(number, '14.60', `second-${index}`),
      ]),
      settleInvitations(world.ctx).run(signal),
      settleInvitations(world.ctx).run(signal),
    ])
    const share = (10 * unit * 7) / 10
    const earned = Math.floor((375_000 * 7) / 10)
    const balances = await Promise.all(chain.map((user) => user.free()))
    expect(balances).toEqual([2 * earned, ...[0, 1].map(() => 2 * share + 2 * earned + 10), 2 * share + 10])
    expect(await world.differences()).toEqual([])
  })

  test('balances follow the facts of an order, in whatever order payment, refunds, disputes and the day come, also at once', async () => {
    await world.set({
      TopUpBonuses: '[{"from":1,"quota":1234567}]',
      InvitationCommissionRate: '3.3333',
      InvitationCommissionDays: '0',
    })
    const minor = fc.integer({ min: 1, max: 7300 })
    const step = fc.oneof(
      fc.record({ kind: fc.constant('paid' as const), minor: fc.constant(7300) }),
      fc.record({ kind: fc.constant('refunded' as const), minor }),
      fc.record({ kind: fc.constantFrom('dispute-opened', 'dispute-won', 'dispute-lost'), minor }),
      fc.record({ kind: fc.constant('by-operator' as const), minor }),
      fc.record({ kind: fc.constant('day' as const), minor: fc.constant(0) }),
    )
    const schedule = fc.array(fc.record({ step, isTwice: fc.boolean(), isWithNext: fc.boolean() }), {
      minLength: 1,
      maxLength: 9,
    })
    let runs = 0
    await fc.assert(
      fc.asyncProperty(schedule, async (steps) => {
        runs += 1
        const { inviter, invitee } = await aPair()
        const { number } = await invitee.pay(10)
        const act = async ({ kind, minor: amount }: Step, index: number) => {
          if (kind === 'day') {
            passDays(3)
            return settle()
          }
          if (kind === 'by-operator') {
            const request = { number, amount: (amount / 100).toFixed(2), isPaidBack: true, operatorId: 1 }
            return refundOrder(world.ctx, { ...request, requestId: `r${runs}-${index}` }).catch(() => undefined)
          }
          const event: PaymentEvent = {
            id: `e${runs}-${index}`,
            orderNumber: number,
            kind,
            minor: amount,
            merchant: '1001',
            currency: 'CNY',
            disputeNumber: 'D1',
          }
          return applyEvent(world.ctx, event, {
            provider: 'epay',
            source: 'callback',
            requestId: event.id,
            payload: '',
          })
        }
        let together: Promise<unknown>[] = []
        for (const [index, { step: what, isTwice, isWithNext }] of steps.entries()) {
          together.push(act(what, index), ...(isTwice && what.kind !== 'by-operator' ? [act(what, index)] : []))
          if (isWithNext) continue
          await Promise.all(together)
          together = []
          await compare()
        }
        await Promise.all(together)
        passDays(3)
        await settle()
        await compare()

        async function compare() {
          const order = await world.rowOf(number)
          const settled = await world.ctx.database.query
            .selectFrom('commissions')
            .select('state')
            .where('order_number', '=', number)
            .executeTakeFirst()
          const due = computeShares(order)
          expect(await booksOf(world.ctx.database, invitee.id)).toMatchObject({ free: due.payer, credited: due.payer })
          const earned = settled?.state === 'settled' ? due.inviter : 0
          expect(await booksOf(world.ctx.database, inviter.id)).toMatchObject({ free: earned, credited: earned })
        }
      }),
      { numRuns: 12 },
    )
    expect(await world.differences()).toEqual([])
  })
})

interface Step {
  readonly kind: 'paid' | 'refunded' | 'dispute-opened' | 'dispute-won' | 'dispute-lost' | 'by-operator' | 'day'
  readonly minor: number
}

/** Returns what the facts of an order entitle both to, computed another way than by the gateway. */
function computeShares({ paid_at: paidAt, minor, refunded_minor: refunded, disputed_minor: disputed }: OrderRow) {
  if (paidAt === 0) return { payer: 0, inviter: 0 }
  const gone = Math.min(refunded + disputed, minor)
  const shareOf = (amount: number) => amount - Math.floor((amount * gone) / minor)
  return { payer: shareOf(5_000_000) + shareOf(1_234_567), inviter: shareOf(166_665) }
}
