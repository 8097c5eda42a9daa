import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import type { paymentRoutes } from '@tollgate/contract'

import { anOwnOrder } from '../../../../test/factories'
import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { TopUpSuccessPage } from './top-up-success-page'
import { TopUpSuccessSearch } from './wallet-search'

const listOf = (items: readonly object[]) => ({ items, page: 1, page_size: 1, total: items.length })

/** `statuses` of the order, one for each query to the provider. */
async function open(
  statuses: readonly paymentRoutes.OrderStatus[],
  { address = '?trade_no=USR1NOabc', pauses = [0, 0] } = {},
) {
  let requests = 0
  const order = () => anOwnOrder({ trade_no: 'USR1NOabc', status: statuses[Math.min(requests, statuses.length - 1)] })
  const calls = serve({
    'GET /api/user/topup/self': () => listOf(statuses.length === 0 ? [] : [order()]),
    'POST /api/user/topup/check': () => {
      requests += 1
      const { status } = order()
      return { status, outcome: status === 'paid' ? 'paid' : 'pending' }
    },
  })
  const view = await renderConsole(<TopUpSuccessPage pauses={pauses} />, {
    address: `/app/wallet_/topup-success${address}`,
    path: '/app/wallet_/topup-success',
    validateSearch: (search) => TopUpSuccessSearch.parse(search),
  })
  return { ...view, calls, checks: () => calls.filter(({ path }) => path.endsWith('/check')) }
}

test('an order is shown as paid once the provider reports it, and not before', async () => {
  const { checks } = await open(['pending', 'pending', 'paid'])
  expect(screen.queryByText('Top-up complete')).toBeNull()
  await screen.findByRole('heading', { name: 'Top-up complete' })
  expect(screen.getByText('$10.00 was added to your balance. You paid CN¥73.00.')).toBeTruthy()
  expect(checks()).toHaveLength(2)
})

test('an unpaid order is polled a few times, then checked by hand', async () => {
  const { user, checks } = await open(['pending'])
  await screen.findByRole('heading', { name: 'Payment not confirmed yet' })
  expect(checks()).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Check now' }))
  await screen.findByText('The payment provider has not received the payment yet.')
  expect(checks()).toHaveLength(3)
  expect(screen.queryByText('Top-up complete')).toBeNull()
})

test('a paid order is not polled', async () => {
  const { checks } = await open(['paid'])
  await screen.findByRole('heading', { name: 'Top-up complete' })
  expect(checks()).toEqual([])
})

test.each([
  ['failed', 'Payment failed'],
  ['expired', 'Order expired'],
  ['refunded', 'Order refunded'],
  ['disputed', 'Payment disputed'],
] as const)('an order that is %s says so', async (status, title) => {
  await open([status])
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
})

test('a paid order for a plan names it and leads to the plans', async () => {
  serve({
    'GET /api/user/topup/self': () => listOf([anOwnOrder({ trade_no: 'USR1NOabc', status: 'paid', plan: 'Pro' })]),
  })
  await renderConsole(<TopUpSuccessPage pauses={[]} />, {
    address: '/app/wallet_/topup-success?trade_no=USR1NOabc',
    path: '/app/wallet_/topup-success',
    validateSearch: (search) => TopUpSuccessSearch.parse(search),
  })
  expect(await screen.findByRole('heading', { name: 'Plan paid' })).toBeTruthy()
  expect(screen.getByText(/^You paid CN¥73\.00 for the plan “Pro”\./)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open plans' }).getAttribute('href')).toBe('/app/plans')
})

test('an unpaid order offers a new one', async () => {
  await open(['failed'])
  const again = await screen.findByRole('link', { name: 'Top up again' })
  expect(again.getAttribute('href')).toBe('/app/wallet')
})

test('an order whose money is pending says so at once', async () => {
  serve({ 'GET /api/user/topup/self': () => listOf([anOwnOrder({ trade_no: 'USR1NOabc', is_under_way: true })]) })
  await renderConsole(<TopUpSuccessPage pauses={[]} />, {
    address: '/app/wallet_/topup-success?trade_no=USR1NOabc',
    path: '/app/wallet_/topup-success',
    validateSearch: (search) => TopUpSuccessSearch.parse(search),
  })
  expect(await screen.findByRole('heading', { name: 'Payment in progress' })).toBeTruthy()
})

test('our order number takes precedence where the payment service adds its own', async () => {
  const { calls } = await open(['paid'], { address: '?trade_no=2024000001&out_trade_no=USR1NOabc' })
  await screen.findByRole('heading', { name: 'Top-up complete' })
  expect(calls[0]?.query['keyword']).toBe('USR1NOabc')
})

test('the latest order is shown where the address has no number; without any order the page says so', async () => {
  const { calls } = await open(['paid'], { address: '' })
  await screen.findByRole('heading', { name: 'Top-up complete' })
  expect(calls[0]?.query['keyword']).toBeUndefined()
  await open([])
  await screen.findByRole('heading', { name: 'No order found' })
})

test('the page links back to the wallet and to the home page', async () => {
  await open(['paid'])
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'Back to wallet' }).getAttribute('href')).toBe('/app/wallet'),
  )
  expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/')
})
