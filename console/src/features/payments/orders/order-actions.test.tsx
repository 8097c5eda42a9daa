import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import type { Grant } from '@tollgate/contract'

import { anOrder } from '../../../../test/factories'
import { menuItems } from '../../../../test/menu-items'
import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { OrderMenu } from './order-actions'
import { RefundDialog } from './refund-dialog'
import type { Order } from './order-data'

const writing: readonly Grant[] = ['orders.read', 'orders.write']
const unpaid = {}
const refundable = { status: 'paid', paid_at: 1_700_000_100, refundable: '73.00' } as const
const refunded = { status: 'refunded', paid_at: 1_700_000_100, refundable: '0.00' } as const

test.each<[string, readonly Grant[], Partial<Order>, string[]]>([
  ['an unpaid order', writing, unpaid, ['Show details', 'Check now', 'Complete by hand']],
  ['a paid order', writing, refundable, ['Show details', 'Refund']],
  ['a refunded order', writing, refunded, ['Show details']],
  ['an unpaid order, to a reader', ['orders.read'], unpaid, ['Show details']],
  ['a paid order, to a reader', ['orders.read'], refundable, ['Show details']],
])('%s is offered the actions of its state', async (_, grants, fields, items) => {
  serve({})
  const menu = <OrderMenu order={anOrder(fields)} onOpen={() => {}} onRefund={() => {}} />
  const { user } = await renderConsole(menu, { grants })
  expect(await menuItems(user, 'More actions for order USR1NOabc1700000000')).toEqual(items)
})

async function openRefund(fields: Partial<Order> = {}) {
  const calls = serve({ 'POST /api/user/topup/refund': () => anOrder() })
  const order = anOrder({ ...refundable, username: 'mei', ...fields })
  const view = await renderConsole(<RefundDialog order={order} onClose={() => {}} />, { grants: writing })
  const amount = screen.getByLabelText<HTMLInputElement>('Amount')
  const confirm = screen.getByRole<HTMLButtonElement>('button', { name: 'Refund' })
  return { ...view, calls, amount, confirm }
}

test.each([
  ['73', true],
  ['73.01', false],
  ['0', false],
  ['0.01', true],
])('a refund of %s of 73.00 can be confirmed: %p', async (typed, canBeConfirmed) => {
  const { user, amount, confirm } = await openRefund()
  await user.clear(amount)
  await user.type(amount, typed)
  expect(confirm.disabled).toBe(!canBeConfirmed)
  expect(screen.queryByText('Enter an amount above 0 and up to CN¥73.00') !== null).toBe(!canBeConfirmed)
})

test('a partial refund says what it takes, and sends its amount', async () => {
  const { user, amount, confirm, calls } = await openRefund()
  await user.clear(amount)
  await user.type(amount, '7.3')
  expect(screen.getByText(/^CN¥7.30 goes back to the payer, and \$1.00 is taken from the balance of mei/)).toBeTruthy()
  await user.click(confirm)
  await waitFor(() => expect(calls.find(({ method }) => method === 'POST')).toBeDefined())
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    trade_no: 'USR1NOabc1700000000',
    is_paid_back: false,
    amount: '7.3',
  })
})

test('the amount of a whole refund is left to the server', async () => {
  const { user, confirm, calls } = await openRefund()
  await user.click(confirm)
  await waitFor(() => expect(calls.find(({ method }) => method === 'POST')).toBeDefined())
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    trade_no: 'USR1NOabc1700000000',
    is_paid_back: false,
  })
})
