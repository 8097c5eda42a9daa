import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { sql } from 'kysely'

import { kinds } from '../../test/kinds'
import { aPaymentSite, notificationOf, notify, type PaymentSite } from '../../test/payment-site'
import { refundOrder } from '../payments/refund-order'

setDefaultTimeout(120_000)

describe.each(kinds)('reconciling orders (%s)', (kind) => {
  let world: PaymentSite
  let number: string
  beforeEach(async () => {
    world = await aPaymentSite(kind)
    const user = await world.aUser()
    await user.pay(10)
    const { fields, number: paid } = await user.pay(10)
    number = paid
    await notify(world, notificationOf(fields))
    const refund = { number, amount: '18.25', isPaidBack: true, operatorId: 1, requestId: 'refund' }
    await refundOrder(world.ctx, refund)
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const found = async () => [...new Set((await world.differences()).map(({ check }) => check))].toSorted()

  test('orders agree with their credits, and every change to one side is found', async () => {
    expect(await found()).toEqual([])
    const changes: readonly (readonly [string, string, readonly string[]])[] = [
      ['the status alone', `update orders set status = 'failed' where number = '${number}'`, []],
      [
        'quota taken',
        'update orders set quota_taken = quota_taken + 1 where paid_at > 0',
        ['order-credit', 'top-up-credit'],
      ],
      ['a payment without a credit', 'update orders set paid_at = 1 where paid_at = 0', ['order-credit']],
      ['a refund that took nothing', 'update orders set refunded_minor = minor where paid_at > 0', ['order-credit']],
      [
        'a credit that is gone',
        `delete from credits where id = 'order:${number}'`,
        ['order-credit', 'top-up-credit', 'user-balance'],
      ],
      [
        'a credit without an order',
        `update orders set number = 'other', quota_credited = 0, quota_taken = 0, paid_at = 0 where number = '${number}'`,
        ['top-up-credit'],
      ],
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
    expect(await found()).toEqual([])
  })
})
