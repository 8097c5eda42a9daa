import { expect, setDefaultTimeout, test } from 'bun:test'

import { kinds } from '../../test/kinds'
import { aPaymentSite, notificationOf, notify } from '../../test/payment-site'
import { inboxMessage } from '../messages/inbox'
import { toldMessage } from '../messages/told-message'
import { refundOrder } from './refund-order'

setDefaultTimeout(60_000)

test.each(kinds)('a payment and its refund are told in the inbox of the payer, once (%s)', async (kind) => {
  await using site = await aPaymentSite(kind)
  const { ctx } = site
  const user = await site.aUser()
  const { fields, number } = await user.pay(10)
  await notify(site, notificationOf(fields))
  await notify(site, notificationOf(fields))
  await refundOrder(ctx, { number, isPaidBack: true, operatorId: 1, requestId: 'r' })
  const rows = await ctx.database.query.selectFrom('messages').selectAll().orderBy('id').execute()
  expect(rows.map((row) => row.kind)).toEqual(['payment-received', 'payment-refunded'])
  const { money = '' } = fields
  for (const row of rows) {
    expect(await inboxMessage(ctx.database.query, user.id, row.id)).toMatchObject({ id: row.id })
    const { content } = await toldMessage(ctx, row, 'en')
    expect(content).toContain(`${money} CNY`)
    expect(content).toContain('$10.00')
    expect(content).toContain('](/app/wallet)')
  }
})
