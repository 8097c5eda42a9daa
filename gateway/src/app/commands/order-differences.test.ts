import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { sql } from 'kysely'

import { kinds } from '../../../test/kinds'
import { aPaymentSite, notificationOf, notify, type PaymentSite } from '../../../test/payment-site'
import { lockedOrder } from '../../billing/payments/apply-event'
import { orderDocuments } from '../../billing/payments/documents/order-documents'
import { refundOrder } from '../../billing/payments/refund-order'
import { settleCommissions } from '../../billing/payments/settle-commissions'

setDefaultTimeout(120_000)

describe.each(kinds)('reconciling orders (%s)', (kind) => {
  let world: PaymentSite
  let number: string
  beforeEach(async () => {
    world = await aPaymentSite(kind, {
      TopUpBonuses: '[{"from":1,"quota":1000}]',
      InvitationCommissionRate: '10',
      InvitationCommissionDelayDays: '0',
    })
    const [inviter, user] = [await world.aUser(), await world.aUser()]
    const invitation = { inviter_id: inviter.id, invitee_id: user.id, inviter_quota: 0, invitee_quota: 0 }
    await world.ctx.database.query
      .insertInto('invitations')
      .values({ ...invitation, address: '', device_hash: '', state: 'rewarded', created_at: world.now() })
      .execute()
    await user.pay(10)
    const { fields, number: paid } = await user.pay(10)
    number = paid
    await notify(world, notificationOf(fields))
    await world.ctx.database.query.transaction().execute(async (transaction) => {
      const order = await lockedOrder(transaction, number)
      if (order) await orderDocuments(world.ctx, transaction, order)
    })
    await settleCommissions(world.ctx, new AbortController().signal)
    const refund = { number, amount: '18.25', isPaidBack: true, operatorId: 1, requestId: 'refund' }
    await refundOrder(world.ctx, refund)
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const findFailedChecks = async () => [...new Set((await world.differences()).map(({ check }) => check))].toSorted()

  test('orders agree with their credits and documents, and every change to one side is found', async () => {
    expect(await findFailedChecks()).toEqual([])
    const changes: readonly (readonly [string, string, readonly string[]])[] = [
      ['the status alone', `update orders set status = 'failed' where number = '${number}'`, []],
      [
        'quota taken',
        'update orders set quota_taken = quota_taken + 1 where paid_at > 0',
        ['order-credit', 'top-up-credit'],
      ],
      [
        'a payment without a credit',
        'update orders set paid_at = 1 where paid_at = 0',
        ['order-credit', 'order-bonus'],
      ],
      [
        'a refund that took nothing',
        'update orders set refunded_minor = minor where paid_at > 0',
        ['order-credit', 'order-bonus', 'order-documents'],
      ],
      [
        'a credit that is gone',
        `delete from credits where id = 'order:${number}'`,
        ['order-credit', 'top-up-credit', 'user-balance'],
      ],
      [
        'a credit without an order',
        `update orders set number = 'other', quota_credited = 0, quota_taken = 0, paid_at = 0 where number = '${number}'`,
        ['top-up-credit', 'order-bonus', 'order-documents'],
      ],
      [
        'a bonus that is gone',
        `delete from credits where kind = 'bonus' and amount > 0`,
        ['order-bonus', 'user-balance'],
      ],
      ['a bonus taken', 'update orders set bonus_taken = bonus_taken + 1 where paid_at > 0', ['order-bonus']],
      [
        'a bonus that was promised and not credited',
        'update orders set bonus = 1001 where paid_at > 0',
        ['order-bonus'],
      ],
      ['a bonus of another order', `update credits set detail = 'other' where kind = 'bonus'`, ['order-bonus']],
      [
        'a commission that is gone',
        `delete from credits where kind = 'commission' and amount > 0`,
        ['commission-credit', 'user-balance'],
      ],
      ['a commission that grew', 'update commissions set amount = amount + 1', ['commission-credit']],
      ['a commission that was credited early', `update commissions set state = 'pending'`, ['commission-credit']],
      [
        'a document that is gone',
        'delete from billing_documents where part = 0',
        ['order-documents', 'document-number'],
      ],
      [
        'the latest document, which is gone',
        'delete from billing_documents where part = 1',
        ['order-documents', 'document-number'],
      ],
      ['a document of another amount', 'update billing_documents set minor = minor + 1', ['order-documents']],
      ['a number that was skipped', 'update billing_documents set number = 9 where part = 1', ['document-number']],
      ['a counter that was raised', `update counters set value = 9 where name = 'documents'`, ['document-number']],
      ['a counter that is gone', `delete from counters where name = 'documents'`, ['document-number']],
      ['a dispute that was lost', `update orders set disputed_minor = 5, dispute = 'lost'`, ['order-documents']],
    ]
    const { query } = world.ctx.database
    for (const [what, by, checks] of changes) {
      await query
        .transaction()
        .execute(async (transaction) => {
          await sql.raw(by).execute(transaction)
          const seen = await world.differences(transaction)
          expect([what, ...new Set(seen.map(({ check }) => check))].toSorted()).toEqual([what, ...checks].toSorted())
          throw new Error('undo')
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== 'undo') throw error
        })
    }
    expect(await findFailedChecks()).toEqual([])
  })
})
