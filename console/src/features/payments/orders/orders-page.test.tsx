import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { Grant, paymentRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { anOrder } from '../../../../test/factories'
import { hideColumns } from '../../../../test/hide-columns'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { OrderSearch } from './order-search'
import { OrdersPage } from './orders-page'
import { filterOf } from './order-data'

const waiting = anOrder({ trade_no: 'USR2NOwait', username: 'mei' })
const paid = anOrder({
  trade_no: 'USR3NOpaid',
  username: 'lars',
  status: 'paid',
  paid_at: 1_700_000_100,
  refundable: '73.00',
  provider_trade_no: '2024000001',
})
const event = (fields: Partial<paymentRoutes.OrderEvent> = {}): paymentRoutes.OrderEvent => ({
  id: 1,
  created_at: 1_700_000_100,
  kind: 'paid',
  source: 'callback',
  outcome: 'applied',
  payload: 'trade_no=2024000001',
  money: null,
  ...fields,
})

interface Opened {
  readonly address?: string
  readonly grants?: readonly Grant[]
  readonly responses?: Parameters<typeof serve>[0]
  readonly orders?: readonly paymentRoutes.OrderEntity[]
}

async function open({
  address = '',
  grants = ['orders.read', 'orders.write'],
  responses,
  orders = [waiting, paid],
}: Opened = {}) {
  const calls = serve({
    'GET /api/user/topup': () => ({ items: orders, page: 1, page_size: 10, total: orders.length }),
    'GET /api/user/topup/order/USR3NOpaid': () => ({
      order: paid,
      documents: [],
      events: [event(), event({ id: 2, kind: 'moon', outcome: 'wrong_amount', source: 'answer', payload: '' })],
    }),
    ...responses,
  })
  hideColumns('orders', ['quota', 'plan', 'provider', 'created', 'paid'])
  const view = await renderConsole(<OrdersPage />, {
    address: `/admin/orders${address}`,
    path: '/admin/orders',
    validateSearch: (search) => OrderSearch.parse(search),
    user: { role: 10 },
    grants,
  })
  await screen.findByText('lars')
  return { ...view, calls, to: (path: string) => calls.filter((call) => call.path === path) }
}

const row = (name: string) => within(screen.getByText(name).closest('tr') ?? document.body)

test('an order that was paid with another amount says which, with the same status as in the list', async () => {
  const differs = anOrder({ trade_no: 'USR3NOpaid', username: 'lars', money: '693.50', problem: 'amount' })
  const report = event({ outcome: 'wrong_amount', money: { money: '1.00', currency: 'CNY' } })
  await open({
    address: '?open=USR3NOpaid',
    orders: [differs],
    responses: { 'GET /api/user/topup/order/USR3NOpaid': () => ({ order: differs, events: [report], documents: [] }) },
  })
  expect(await screen.findByText('CN¥1.00 was paid; the order was for CN¥693.50.')).toBeTruthy()
  const panel = within(screen.getByRole('complementary'))
  expect(panel.getByText('Needs attention')).toBeTruthy()
  expect(panel.queryByText('Pending')).toBeNull()
})

test('the filters come from the address, without an unknown status', async () => {
  const { to } = await open({ address: '?keyword=mei&status=paid&provider=epay&problem=any&page=2' })
  expect(to('/api/user/topup')[0]?.query).toEqual({
    p: '2',
    page_size: '20',
    keyword: 'mei',
    status: 'paid',
    provider: 'epay',
    has_problem: 'true',
  })
  const nonsense = await open({ address: '?status=lost' })
  expect(nonsense.to('/api/user/topup')[0]?.query['status']).toBeUndefined()
})

test('a range that ends now begins at a whole minute, and a custom one stays as it is', () => {
  expect(filterOf({ range: 'day' }, 1_700_000_059)).toMatchObject({ start_timestamp: 1_699_913_640 })
  expect(filterOf({ from: 5, to: 9 }, 1_700_000_059)).toMatchObject({ start_timestamp: 5, end_timestamp: 9 })
})

test('an order that differs from its payment is marked, with the reason in its panel', async () => {
  const marked = { ...paid, problem: 'amount' } as const
  await open({
    address: '?open=USR3NOpaid',
    orders: [marked],
    responses: { 'GET /api/user/topup/order/USR3NOpaid': () => ({ order: marked, events: [], documents: [] }) },
  })
  expect(row('lars').getByText('Needs attention')).toBeTruthy()
  expect(await screen.findByText('The amount paid differs from the order. It was not credited.')).toBeTruthy()
})

test('an order with an uncertain refund can be resolved either way', async () => {
  const marked = { ...paid, problem: 'refund' } as const
  const { user, to } = await open({
    address: '?open=USR3NOpaid',
    orders: [marked],
    responses: {
      'GET /api/user/topup/order/USR3NOpaid': () => ({ order: marked, events: [], documents: [] }),
      'POST /api/user/topup/resolve': () => ({ ...marked, problem: '' }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'It was refunded' }))
  await screen.findByText('Marked as resolved')
  await user.click(screen.getByRole('button', { name: 'It was not: give the quota back' }))
  await waitFor(() => expect(to('/api/user/topup/resolve')).toHaveLength(2))
  expect(to('/api/user/topup/resolve').map(({ body }) => body)).toEqual([
    { trade_no: 'USR3NOpaid', was_paid_back: true },
    { trade_no: 'USR3NOpaid', was_paid_back: false },
  ])
})

test('a linked panel shows the history, in words where there are any', async () => {
  await open({ address: '?open=USR3NOpaid' })
  const events = within(await screen.findByRole('region', { name: 'Events' }))
  expect(events.getByText('Payment · applied')).toBeTruthy()
  expect(events.getByText('Reported by the provider')).toBeTruthy()
  expect(events.getByText('moon · wrong amount')).toBeTruthy()
  expect(events.getByText('trade_no=2024000001')).toBeTruthy()
  expect(screen.getByText('2024000001')).toBeTruthy()
})

test('an order is completed by hand after a confirmation that names the credit', async () => {
  const { user, to } = await open({
    responses: { 'POST /api/user/topup/complete': () => ({ ...waiting, status: 'paid' }) },
  })
  await user.click(row('mei').getByRole('button', { name: 'More actions for order USR2NOwait' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Complete by hand' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Complete this order by hand?' }))
  expect(
    dialog.getByText(
      '$10.00 is added to the balance of mei. Make sure first that CN¥73.00 has arrived: only a refund can take it back.',
    ),
  ).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Add to balance' }))
  await screen.findByText('$10.00 was added to the balance of mei')
  expect(to('/api/user/topup/complete').map(({ body }) => body)).toEqual([{ trade_no: 'USR2NOwait' }])
})

const RequestBody = z.object({ is_paid_back: z.boolean() })

test('a refund shows what it takes back, and stays open where the provider cannot refund', async () => {
  const { user, to } = await open({
    responses: {
      'POST /api/user/topup/refund': ({ body }) => {
        return RequestBody.parse(body).is_paid_back
          ? { ...paid, refunded: '7.30' }
          : new Refusal('order.refund_unsupported', 'The payment service cannot refund by its API.')
      },
    },
  })
  await user.click(row('lars').getByRole('button', { name: 'More actions for order USR3NOpaid' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Refund' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund USR3NOpaid' }))
  expect(
    dialog.getByText(/CN¥73\.00 goes back to the payer, and \$10\.00 is taken from the balance of lars\./),
  ).toBeTruthy()
  const amount = dialog.getByRole('textbox', { name: 'Amount' })
  await user.clear(amount)
  await user.type(amount, '80')
  expect(dialog.getByText('Enter an amount above 0 and up to CN¥73.00')).toBeTruthy()
  await user.clear(amount)
  await user.type(amount, '7.30')
  expect(dialog.getByText(/CN¥7\.30 goes back to the payer, and \$1\.00 is taken/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Refund' }))
  expect(await dialog.findByText('The payment service cannot refund by its API.')).toBeTruthy()
  await user.click(dialog.getByRole('checkbox', { name: 'The money was already returned another way' }))
  await user.click(dialog.getByRole('button', { name: 'Take back quota' }))
  await screen.findByText('Refunded, and the quota was taken back')
  expect(to('/api/user/topup/refund').map(({ body }) => body)).toEqual([
    { trade_no: 'USR3NOpaid', is_paid_back: false, amount: '7.3' },
    { trade_no: 'USR3NOpaid', is_paid_back: true, amount: '7.3' },
  ])
})

test('readers without write access are offered no changes', async () => {
  const { user } = await open({ grants: ['orders.read'], address: '?open=USR3NOpaid' })
  await screen.findByRole('region', { name: 'Events' })
  await user.click(row('mei').getByRole('button', { name: 'More actions for order USR2NOwait' }))
  await waitFor(() => expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Show details']))
  expect(screen.queryByRole('button', { name: 'Refund' })).toBeNull()
})
