import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { paymentRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { anOwnOrder } from '../../../../test/factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { OwnOrdersCard } from './own-orders-card'
import { TopUpCard } from './wallet-page'

const info: paymentRoutes.TopUpInfo = {
  enable_online_topup: true,
  pay_methods: [
    {
      name: '支付宝',
      type: 'zfb',
      color: '#1677ff',
      icon: '',
      min_topup: 5,
      provider: 'epay',
      currency: 'CNY',
      price: 7.3,
    },
    { name: 'Card', type: 'stripe', color: '', icon: '', min_topup: 1, provider: 'stripe', currency: 'USD', price: 1 },
  ],
  min_topup: 1,
  group_ratio: 0.9,
  amount_options: [10, 100],
  discount: { '100': 0.95 },
  bonuses: [],
  topup_link: '',
}

const succeedWith = (data: unknown, envelopeFields: object = {}) =>
  Response.json({ success: true, message: 'success', data, ...envelopeFields })
const failWith = (sentence: string) =>
  Response.json({ success: false, message: 'error', data: sentence, code: 'pay.failed', request_id: 'req-pay' })

const page = { url: 'https://pay.example/submit.php', trade_no: 'USR1NOabc' }

/** Posted forms: their address and their fields. */
const posted: { action: string; fields: Record<string, string> }[] = []
const spyOnSubmit = () => spyOn(HTMLFormElement.prototype, 'submit')

beforeEach(() => {
  posted.length = 0
  spyOnSubmit().mockImplementation(function submit(this: HTMLFormElement) {
    posted.push({
      action: `${this.method} ${this.action}`,
      fields: Object.fromEntries([...this.querySelectorAll('input')].map(({ name, value }) => [name, value])),
    })
  })
})
afterEach(() => spyOnSubmit().mockRestore())

const RequestBody = z.object({ amount: z.number() })

async function open(responses: Parameters<typeof serve>[0] = {}, language: 'en' | 'zh' = 'en') {
  const calls = serve({
    'GET /api/user/topup/info': () => info,
    'POST /api/user/amount': ({ body }) => succeedWith((RequestBody.parse(body).amount * 7.3).toFixed(2)),
    'POST /api/user/pay': () => succeedWith({ pid: '1001', sign: 'abc', submit: 'yes' }, page),
    ...responses,
  })
  const view = await renderConsole(<TopUpCard />, { language })
  await screen.findByRole('button', { name: language === 'en' ? 'Top up' : '充值' })
  return { ...view, calls, to: (path: string) => calls.filter((call) => call.path === path) }
}

const amountField = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount in dollars' })

test('a top-up is confirmed and posts a form to the payment page', async () => {
  const { user, to } = await open()
  await user.click(await screen.findByRole('button', { name: '$100 · 5% off' }))
  await screen.findByText('CN¥730.00')
  await user.click(screen.getByRole('button', { name: 'Top up' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm top-up' }))
  expect(dialog.getByText('$100')).toBeTruthy()
  expect(dialog.getByText('CN¥730.00')).toBeTruthy()
  expect(dialog.getByText('Alipay')).toBeTruthy()
  expect(to('/api/user/pay')).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Go to payment' }))
  await waitFor(() => expect(posted).toHaveLength(1))
  expect(to('/api/user/pay')[0]?.body).toEqual({ amount: 100, payment_method: 'zfb', top_up_code: '' })
  expect(posted[0]).toEqual({
    action: 'post https://pay.example/submit.php',
    fields: { pid: '1001', sign: 'abc', submit: 'yes' },
  })
})

test('amounts show what they bring on top, and so do the form and its confirmation', async () => {
  const bonuses = [
    { from: 10, quota: null, percent: 10, is_once: true },
    { from: 100, quota: 2_500_000, percent: null, is_once: false },
  ]
  const { user } = await open({ 'GET /api/user/topup/info': () => ({ ...info, bonuses }) })
  expect(screen.queryByText(/as a bonus/)).toBeNull()
  await user.click(await screen.findByRole('button', { name: '$10 · +$1.00' }))
  expect(await screen.findByText('$1.00 is added as a bonus, once.')).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: '$100 · 5% off · +$5.00' }))
  expect(await screen.findByText('$5.00 is added as a bonus.')).toBeTruthy()
  await screen.findByText('CN¥730.00')
  await user.click(screen.getByRole('button', { name: 'Top up' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm top-up' }))
  expect(dialog.getByText('$5.00')).toBeTruthy()
})

test('an amount below the minimum of the method is reported, and has no price', async () => {
  const { user, to } = await open()
  await screen.findByText('CN¥36.50')
  await user.clear(amountField())
  await user.type(amountField(), '4')
  expect(screen.getByText('Top up at least 5.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Top up' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(to('/api/user/amount').map(({ body }) => body)).toEqual([
    { amount: 5, payment_method: 'zfb', top_up_code: '' },
  ])
  await user.click(screen.getByRole('radio', { name: 'Card' }))
  await screen.findByText('$29.20')
  expect(screen.queryByText('Top up at least 5.')).toBeNull()
})

test('the price of an earlier amount is gone as soon as another is typed', async () => {
  const priced: { resolve?: () => void } = {}
  const { user } = await open({
    'POST /api/user/amount': async ({ body }) => {
      const { amount } = RequestBody.parse(body)
      if (amount !== 5) await new Promise<void>((resolve) => (priced.resolve = resolve))
      return succeedWith((amount * 7.3).toFixed(2))
    },
  })
  await screen.findByText('CN¥36.50')
  await user.clear(amountField())
  await user.type(amountField(), '50')
  expect(screen.queryAllByText('CN¥36.50')).toHaveLength(0)
  await user.click(screen.getByRole('button', { name: 'Top up' }))
  await waitFor(() => expect(priced.resolve).toBeDefined())
  expect(screen.queryAllByText('CN¥36.50')).toHaveLength(0)
  expect(screen.queryByRole('dialog')).toBeNull()
  priced.resolve?.()
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm top-up' }))
  expect(dialog.getByText('CN¥365.00')).toBeTruthy()
})

test('an amount is raised to at least 1', async () => {
  const { user } = await open()
  await user.click(await screen.findByRole('radio', { name: 'Card' }))
  await user.clear(amountField())
  await user.tab()
  await waitFor(() => expect(amountField().value).toBe('1'))
  await user.clear(amountField())
  await user.type(amountField(), '0')
  await waitFor(() => expect(amountField().value).toBe('1'))
})

test('a price that the server refuses to compute shows its message, and can be retried', async () => {
  let isRefused = true
  const { user } = await open(
    { 'POST /api/user/amount': () => (isRefused ? failWith('充值金额过低') : succeedWith('36.50')) },
    'zh',
  )
  expect(await screen.findByText('充值金额过低')).toBeTruthy()
  expect(screen.getByText('错误：', { exact: false })).toBeTruthy()
  isRefused = false
  await user.click(screen.getByRole('button', { name: '充值' }))
  expect(await screen.findByRole('dialog', { name: '确认充值' })).toBeTruthy()
})

test.each([
  ['支付请求失败', () => Response.error()],
  ['拉起支付失败', () => failWith('拉起支付失败')],
])('a payment that cannot begin says %s', async (sentence, respond) => {
  const { user } = await open({ 'POST /api/user/pay': respond }, 'zh')
  await screen.findByText('¥36.50')
  await user.click(screen.getByRole('button', { name: '充值' }))
  await user.click(await screen.findByRole('button', { name: '前往支付' }))
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(posted).toEqual([])
})

test('the card says that the administrator has not enabled online payment', async () => {
  serve({ 'GET /api/user/topup/info': () => ({ ...info, enable_online_topup: false, pay_methods: [] }) })
  await renderConsole(<TopUpCard />, { language: 'zh' })
  expect(await screen.findByText('管理员未开启在线充值！')).toBeTruthy()
})

const listOf = (items: readonly object[]) => ({ items, page: 1, page_size: 10, total: items.length })

/** Numbers of the orders that were repeated. */
const repeated: string[] = []
const onAgain = ({ trade_no: number }: paymentRoutes.OwnOrder) => void repeated.push(number)

async function openOrders(orders: readonly paymentRoutes.OwnOrder[], responses: Parameters<typeof serve>[0] = {}) {
  const calls = serve({ 'GET /api/user/topup/self': () => listOf(orders), ...responses })
  return { ...(await renderConsole(<OwnOrdersCard onAgain={onAgain} />)), calls }
}

test('a pending order is paid with a new form of the server', async () => {
  const { user, calls } = await openOrders([anOwnOrder()], {
    'POST /api/user/topup/continue': () => succeedWith({ pid: '1001' }, page),
  })
  await user.click(await screen.findByRole('button', { name: 'Pay now' }))
  await waitFor(() => expect(posted).toHaveLength(1))
  expect(calls.at(-1)?.body).toEqual({ trade_no: 'USR1NOabc1700000000' })
})

test('an order for a plan names it in place of an amount, and leads back to the plans where it was not paid', async () => {
  await openOrders([anOwnOrder({ status: 'expired', plan: 'Pro', can_continue: false })])
  expect(await screen.findByText('Plan “Pro”')).toBeTruthy()
  expect(screen.queryByText('$10.00')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Top up again' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Open plans' }).getAttribute('href')).toBe('/app/plans')
})

test('checking an order reloads the list', async () => {
  let status: paymentRoutes.OrderStatus = 'pending'
  const { user } = await openOrders([], {
    'GET /api/user/topup/self': () => listOf([anOwnOrder({ status })]),
    'POST /api/user/topup/check': () => {
      status = 'paid'
      return { status, outcome: 'paid' }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Check now' }))
  await screen.findByText('The order is paid and credited.')
  await screen.findByText('Paid')
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Pay now' })).toBeNull()
})

test('a failed order, even if it has only just failed, offers a new one like it', async () => {
  let status: paymentRoutes.OrderStatus = 'pending'
  const { user } = await openOrders([], {
    'GET /api/user/topup/self': () => listOf([anOwnOrder({ status, can_continue: status === 'pending' })]),
    'POST /api/user/topup/continue': () => {
      status = 'failed'
      return failWith('The payment failed. Start a new top-up.')
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Pay now' }))
  await screen.findByText('The payment failed. Start a new top-up.')
  await user.click(await screen.findByRole('button', { name: 'Top up again' }))
  expect(screen.queryByRole('button', { name: 'Pay now' })).toBeNull()
  expect(repeated).toEqual(['USR1NOabc1700000000'])
})

test('the form is prefilled with the amount and the method of an unpaid order', async () => {
  serve({ 'GET /api/user/topup/info': () => info, 'POST /api/user/amount': () => succeedWith('25.00') })
  await renderConsole(<TopUpCard again={anOwnOrder({ status: 'failed', method: 'stripe', quota: 12_500_000 })} />)
  await screen.findByText('$25.00')
  expect(amountField().value).toBe('25')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Card/ }).checked).toBe(true)
})

test('an order whose money is pending is neither paid again nor replaced', async () => {
  await openOrders([anOwnOrder({ is_under_way: true, can_continue: false })])
  await screen.findByText('Processing')
  expect(screen.getAllByRole('button').map((button) => button.textContent)).not.toContain('Pay now')
  expect(screen.queryByRole('button', { name: 'Top up again' })).toBeNull()
})

test('a partial refund is shown and subtracted from the credit', async () => {
  await openOrders([
    anOwnOrder({ status: 'paid', paid_at: 1, refunded: '7.30', quota_taken: 500_000, can_continue: false }),
  ])
  expect(await screen.findByText('Partly refunded')).toBeTruthy()
  expect(screen.getByText('CN¥7.30 refunded')).toBeTruthy()
  expect(screen.getByText('$9.00')).toBeTruthy()
})

test('a user without top-ups sees no list of orders', async () => {
  const { calls } = await openOrders([])
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(screen.queryByText('Orders')).toBeNull()
})

test('more orders than a page holds are searched and exported with the same filters', async () => {
  const { user, calls } = await openOrders([], {
    'GET /api/user/topup/self': ({ query }) => ({
      items: query['status'] === 'paid' ? [] : [anOwnOrder()],
      page: 1,
      page_size: 10,
      total: query['status'] === 'paid' ? 0 : 11,
    }),
    'GET /api/user/topup/self/export': () => new Response('csv'),
  })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Status' }), 'paid')
  await screen.findByText('No orders match these filters.')
  expect(calls.at(-1)?.query).toMatchObject({ p: '1', status: 'paid' })
  await user.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() =>
    expect(calls.at(-1)).toMatchObject({ path: '/api/user/topup/self/export', query: { status: 'paid' } }),
  )
})

test('a refusal to check is shown', async () => {
  const { user } = await openOrders([anOwnOrder()], {
    'POST /api/user/topup/check': () => new Refusal('order.none', 'This order does not exist.'),
  })
  await user.click(await screen.findByRole('button', { name: 'Check now' }))
  expect(await screen.findByText('This order does not exist.')).toBeTruthy()
})
