import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { aPlan, aSubscription, dollars } from '../../../../test/plan-factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { anAccount } from '../../../../test/user-factory'
import { OwnPlansPage } from './own-plans-page'

/** Addresses to which the browser left. */
const left: string[] = []
const spyOnSubmit = () => spyOn(HTMLFormElement.prototype, 'submit')
beforeEach(() => {
  left.length = 0
  spyOnSubmit().mockImplementation(function submit(this: HTMLFormElement) {
    left.push(this.action)
  })
})
afterEach(() => spyOnSubmit().mockRestore())

const pro = aPlan()
const small = aPlan({ id: 4, name: 'Small', price: dollars(5), windows: [] })
const large = aPlan({ id: 5, name: 'Large', price: dollars(50) })

const methods = [
  { name: '支付宝', type: 'zfb', color: '', icon: '', min_topup: 1, provider: 'epay', currency: 'CNY', price: 7.3 },
]

const quoteOf = (price: number, rest: number) => () => ({
  price: dollars(price),
  rest: dollars(rest),
  rest_by_time: dollars(rest),
  rest_by_use: null,
})

async function open(responses: Parameters<typeof serve>[0] = {}, language: 'en' | 'zh' = 'en') {
  const calls = serve({
    'GET /api/user/plans': () => [small, pro, large],
    'GET /api/user/subscriptions': () => [],
    'GET /api/user/self': () => anAccount({ quota: dollars(30) }),
    'GET /api/user/topup/info': () => ({ enable_online_topup: true, pay_methods: methods }),
    'POST /api/user/amount': () => Response.json({ success: true, message: 'success', data: '146.00' }),
    ...responses,
  })
  const view = await renderConsole(<OwnPlansPage />, { language })
  return { ...view, written: () => calls.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/amount')) }
}

const cardOf = async (name: string) => within(await screen.findByRole('article', { name }))

async function openPurchase(...parts: Parameters<typeof open>) {
  const view = await open(...parts)
  await view.user.click((await cardOf('Pro')).getByRole('button', { name: 'Buy: Pro' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Buy “Pro”' }))
  return { ...view, dialog }
}

test('a plan tells its price, its limits, models and groups', async () => {
  await open({
    'GET /api/user/plans': () => [
      aPlan({
        length: 3,
        description: 'For teams',
        models: ['a', 'b', 'c', 'd', 'e', 'f', 'claude-*'],
        groups: ['vip'],
      }),
    ],
  })
  const card = await cardOf('Pro')
  expect(card.getByText('per 3 months').parentElement?.textContent).toBe('$20.00 per 3 months')
  for (const text of ['For teams', '100 calls per day', 'vip']) expect(card.getByText(text)).toBeTruthy()
  expect(card.getByText(/a, b, c, d/)).toBeTruthy()
})

test('the names of many models are shown when they are wanted', async () => {
  const { user } = await open({
    'GET /api/user/plans': () => [aPlan({ models: ['a', 'b', 'c', 'd', 'e', 'f', 'claude-*'] })],
  })
  const card = await cardOf('Pro')
  expect(card.queryByText(/claude/)).toBeNull()
  await user.click(card.getByRole('button', { name: '3 more' }))
  expect(card.getByText(/a, b, c, d, e, f, claude-\*/)).toBeTruthy()
})

test('a plan without limits, of all models and groups, says so', async () => {
  await open()
  const card = await cardOf('Small')
  for (const text of ['No limits on use', 'All models', 'All groups']) expect(card.getByText(text)).toBeTruthy()
})

test('a plan is bought from the balance after a look at what is left of it, and renews where that is wanted', async () => {
  const { user, dialog, written } = await openPurchase({ 'POST /api/user/subscriptions': () => aSubscription() })
  expect(await dialog.findByText('$10.00')).toBeTruthy()
  await user.click(dialog.getByRole('switch', { name: /^Renew automatically/ }))
  await user.click(dialog.getByRole('button', { name: 'Buy for $20.00' }))
  expect(await screen.findByText('“Pro” has begun')).toBeTruthy()
  expect(written()).toMatchObject([{ path: '/api/user/subscriptions', body: { plan_id: 3, renews: true } }])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a balance that does not cover the price leads to the wallet', async () => {
  const { dialog, written } = await openPurchase({ 'GET /api/user/self': () => anAccount({ quota: dollars(12) }) })
  expect(await dialog.findByText('Your balance does not cover the price: $8.00 more is needed.')).toBeTruthy()
  expect(dialog.getByRole('link', { name: 'Top up' }).getAttribute('href')).toBe('/app/wallet')
  expect(dialog.queryByRole('button', { name: /^Buy for/ })).toBeNull()
  expect(written()).toEqual([])
})

test('a balance that was spent meanwhile leads to the wallet, in the words of a purchase', async () => {
  const { user, dialog } = await openPurchase({
    'POST /api/user/subscriptions': () => new Refusal('quota.user', 'The balance does not cover this call'),
  })
  await user.click(await dialog.findByRole('button', { name: 'Buy for $20.00' }))
  expect(await dialog.findByText('Your balance does not cover the price.')).toBeTruthy()
  expect(dialog.queryByText(/this call/)).toBeNull()
  expect(dialog.getByRole('link', { name: 'Top up' })).toBeTruthy()
})

test('another refusal is shown as it is', async () => {
  const { user, dialog } = await openPurchase({
    'POST /api/user/subscriptions': () => new Refusal('plan.not_on_sale', 'This plan is not on sale.'),
  })
  await user.click(await dialog.findByRole('button', { name: 'Buy for $20.00' }))
  expect(await dialog.findByText('This plan is not on sale.')).toBeTruthy()
  expect(dialog.queryByRole('link', { name: 'Top up' })).toBeNull()
})

test('a payment method costs its own price and leads to its page', async () => {
  const { user, dialog, written } = await openPurchase({
    'POST /api/user/pay': () =>
      Response.json({
        success: true,
        message: 'success',
        data: { pid: '1' },
        url: 'https://pay.example/submit',
        trade_no: 'T1',
      }),
  })
  await user.click(await dialog.findByRole('radio', { name: /Alipay/ }))
  expect(await dialog.findByText('CN¥146.00')).toBeTruthy()
  expect(dialog.queryByRole('switch')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Go to payment' }))
  await waitFor(() => expect(left).toEqual(['https://pay.example/submit']))
  expect(written()).toMatchObject([{ path: '/api/user/pay', body: { plan_id: 3, payment_method: 'zfb' } }])
})

test('a plan that is run as often as is allowed cannot be bought again; one that may be run twice can', async () => {
  await open({
    'GET /api/user/plans': () => [pro, aPlan({ id: 4, name: 'Twice', max_per_user: 2 })],
    'GET /api/user/subscriptions': () => [aSubscription(), aSubscription({ id: 12, plan_id: 4, plan_name: 'Twice' })],
  })
  const taken = await screen.findByRole('button', { name: 'Your plan' })
  expect(taken.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('button', { name: 'Buy: Twice' })).toBeTruthy()
})

test('a running subscription tells what is left of it and when it ends', async () => {
  await open({ 'GET /api/user/subscriptions': () => [aSubscription()] })
  const section = within(await screen.findByRole('region', { name: 'Your subscriptions' }))
  expect(section.getByText('40 of 100 calls left')).toBeTruthy()
  expect(section.getByText(/^Ends on 2027-02-1\d$/)).toBeTruthy()
})

test('a renewal tells its price, and what the balance lacks for it', async () => {
  await open({
    'GET /api/user/subscriptions': () => [aSubscription({ renews: true, next_plan_id: 5 })],
  })
  expect(await screen.findByText(/^Renews on 2027-02-1\d as “Large” for \$50.00 from your balance$/)).toBeTruthy()
  expect(await screen.findByText(/^Your balance does not cover the renewal: \$20\.00 more is needed/)).toBeTruthy()
})

test('renewal, what pays first and the plan to come are changed in place', async () => {
  const { user, written } = await open({
    'GET /api/user/subscriptions': () => [aSubscription({ next_plan_id: 4, renews: true })],
    'PUT /api/user/subscriptions/11': () => aSubscription(),
  })
  await user.click(await screen.findByRole('switch', { name: 'Renew automatically' }))
  await waitFor(() => expect(written()).toHaveLength(1))
  await user.selectOptions(screen.getByRole('combobox', { name: 'What pays first' }), 'plan_only')
  await waitFor(() => expect(written()).toHaveLength(2))
  await user.click(screen.getByRole('button', { name: 'Keep “Pro”' }))
  await waitFor(() => expect(written()).toHaveLength(3))
  expect(written().map(({ body }) => body)).toEqual([
    { renews: false },
    { preference: 'plan_only' },
    { next_plan_id: 0 },
  ])
})

async function openChange(to: string, responses: Parameters<typeof serve>[0] = {}) {
  const view = await open({ 'GET /api/user/subscriptions': () => [aSubscription()], ...responses })
  await view.user.click(await screen.findByRole('button', { name: 'Change plan' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change “Pro”' }))
  await view.user.selectOptions(dialog.getByRole('combobox', { name: 'New plan' }), to)
  return { ...view, dialog }
}

test('a dearer plan begins now, for its price less the rest of the present one', async () => {
  const { user, dialog, written } = await openChange('5', {
    'GET /api/user/subscriptions/11/upgrade': quoteOf(28, 22),
    'POST /api/user/subscriptions/11/upgrade': () => aSubscription({ plan_name: 'Large' }),
  })
  for (const text of ['$50.00', '-$22.00', '$28.00', '$30.00']) expect(await dialog.findByText(text)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Change now' }))
  expect(await screen.findByText('“Large” has begun')).toBeTruthy()
  expect(written()).toMatchObject([{ path: '/api/user/subscriptions/11/upgrade', body: { plan_id: 5 } }])
})

test('the quote names what is left by time and by a limit where both count', async () => {
  const byUse = { rest_by_time: dollars(22), rest_by_use: { limit: 'Month', rest: dollars(3) } }
  const { dialog } = await openChange('5', {
    'GET /api/user/subscriptions/11/upgrade': () => ({ price: dollars(47), rest: dollars(3), ...byUse }),
  })
  const hint = '$22.00 is left by time, $3.00 by what is unused of “Month”. The smaller amount counts.'
  expect(await dialog.findByText(hint)).toBeTruthy()
  expect(dialog.getByText('-$3.00')).toBeTruthy()
})

test('a dearer plan that the balance does not cover leads to the wallet', async () => {
  const { dialog } = await openChange('5', { 'GET /api/user/subscriptions/11/upgrade': quoteOf(45, 5) })
  expect(await dialog.findByText('Your balance does not cover the price: $15.00 more is needed.')).toBeTruthy()
  expect(dialog.getByRole('link', { name: 'Top up' })).toBeTruthy()
})

test('a cheaper plan begins with the next term, which is then paid from the balance', async () => {
  const { user, dialog, written } = await openChange('4', {
    'PUT /api/user/subscriptions/11': () => aSubscription({ next_plan_id: 4, renews: true }),
  })
  await user.click(dialog.getByRole('button', { name: /^Change on 2027-02-1\d$/ }))
  expect(await screen.findByText(/^“Small” begins on 2027-02-1\d$/)).toBeTruthy()
  expect(written()).toMatchObject([{ method: 'PUT', body: { next_plan_id: 4, renews: true } }])
})

test('ended subscriptions are listed', async () => {
  await open({ 'GET /api/user/subscriptions': () => [aSubscription({ state: 'ended', price: dollars(0) })] })
  const table = within(await screen.findByRole('table', { name: 'Earlier subscriptions' }))
  expect(table.getByRole('row', { name: /^Pro 2027-01-15 2027-02-1\d Free$/ })).toBeTruthy()
})

test('a site without plans says so, in Chinese too', async () => {
  await open({ 'GET /api/user/plans': () => [] }, 'zh')
  expect(await screen.findByText('暂无在售套餐')).toBeTruthy()
})

test('plans that cannot be read can be read again, and the subscriptions are shown', async () => {
  await open({
    'GET /api/user/plans': () => new Refusal('server.error', 'Broken', 500),
    'GET /api/user/subscriptions': () => [aSubscription()],
  })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(await screen.findByText('40 of 100 calls left')).toBeTruthy()
})
