import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { Grant } from '@tollgate/contract'

import { menuItems } from '../../../test/menu-items'
import { aPlan, aPlanSale, aUserSubscription, dollars } from '../../../test/plan-factories'
import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { aMember } from '../../../test/user-factory'
import { settingsOf } from './plan-data'
import { PlanSearch } from './plan-search'
import { PlansPage } from './plans-page'

const writing: readonly Grant[] = ['orders.read', 'balances.write', 'users.read']

interface OpenOptions {
  readonly address?: string
  readonly grants?: readonly Grant[]
  readonly responses?: Parameters<typeof serve>[0]
}

const pro = aPlanSale()
const gift = aPlanSale({ id: 4, name: 'Gift', price: 0, is_on_sale: false, active: 0, sold: 0, revenue: dollars(0) })

async function openPage({ address = '', grants = writing, responses = {} }: OpenOptions = {}) {
  const calls = serve({
    'GET /api/plan': () => [pro, gift],
    'GET /api/group': () => ['default', 'vip'],
    'GET /api/user/models': () => ['gpt-4o'],
    'GET /api/plan/subscriptions': () => ({ items: [aUserSubscription()], page: 1, page_size: 10, total: 1 }),
    ...responses,
  })
  const view = await renderConsole(<PlansPage />, {
    address: `/admin/plans${address}`,
    path: '/admin/plans',
    validateSearch: (search) => PlanSearch.parse(search),
    grants,
  })
  await screen.findByText('Gift')
  return { ...view, written: () => calls.filter(({ method }) => method !== 'GET'), calls }
}

const names = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent?.match(/^(Pro|Gift)/)?.[0])

test('plans are listed with their price, sales and use, and sorted', async () => {
  const { user } = await openPage()
  const row = within(screen.getByRole('row', { name: /^Pro/ }))
  for (const text of ['On sale', '$20.00 per month', '2', '7', '$140.00']) expect(row.getByText(text)).toBeTruthy()
  expect(names()).toEqual(['Pro', 'Gift'])
  // Figures begin with the highest.
  await user.click(screen.getByRole('button', { name: /^Price/ }))
  await user.click(screen.getByRole('button', { name: /^Price/ }))
  await waitFor(() => expect(names()).toEqual(['Gift', 'Pro']))
})

test('plans are found by their names, and by whether they are on sale', async () => {
  const { user, router } = await openPage()
  await user.type(screen.getByRole('textbox', { name: 'Search names' }), 'pr')
  await waitFor(() => expect(names()).toEqual(['Pro']))
  await user.clear(screen.getByRole('textbox', { name: 'Search names' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sale' }), 'off')
  await waitFor(() => expect(names()).toEqual(['Gift']))
  expect(router.state.location.search).toMatchObject({ sale: 'off' })
})

test('readers without the right to change balances only look', async () => {
  const { user } = await openPage({ grants: ['orders.read'] })
  expect(screen.queryByRole('button', { name: 'Add a plan' })).toBeNull()
  expect(await menuItems(user, 'More actions for “Pro”')).toEqual(['View details'])
})

test('a new plan is saved with its limits', async () => {
  const { user, written } = await openPage({ address: '?edit=new', responses: { 'POST /api/plan': () => aPlan() } })
  const drawer = within(await screen.findByRole('dialog', { name: 'Add a plan' }))
  await user.type(drawer.getByRole('textbox', { name: /^Name/ }), 'Team')
  await user.type(drawer.getByRole('textbox', { name: /^Price/ }), '12.5')
  await user.type(drawer.getByRole('combobox', { name: 'Models' }), 'claude-*{Enter}')
  await user.type(drawer.getByRole('combobox', { name: 'Groups' }), 'vip{Enter}')
  await user.click(drawer.getByRole('button', { name: 'Add a limit' }))
  await user.type(drawer.getByRole('textbox', { name: /^Limit/ }), '50')
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Plan created')).toBeTruthy()
  expect(written()).toMatchObject([
    {
      path: '/api/plan',
      body: {
        name: 'Team',
        price: 6_250_000,
        length: 1,
        unit: 'month',
        models: ['claude-*'],
        groups: ['vip'],
        max_per_user: 1,
        preference: 'plan_first',
        is_on_sale: true,
        windows: [{ name: 'Calls per day', measure: 'requests', limit: 50, span: 'day' }],
      },
    },
  ])
})

test('a plan with faults is not sent, nor one whose limit has a fault', async () => {
  const { user, written } = await openPage({ address: '?edit=new' })
  const drawer = within(await screen.findByRole('dialog', { name: 'Add a plan' }))
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  expect(await drawer.findByText('A name of 1 to 50 characters')).toBeTruthy()
  expect(drawer.getByText('An amount of at least 0')).toBeTruthy()
  await user.type(drawer.getByRole('textbox', { name: /^Name/ }), 'Team')
  await user.type(drawer.getByRole('textbox', { name: /^Price/ }), '1')
  await user.click(drawer.getByRole('button', { name: 'Add a limit' }))
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  expect(await drawer.findByText(/^A whole number from 1 to/)).toBeTruthy()
  expect(written()).toEqual([])
})

test('refusals are shown at their fields: of the plan and of its limits', async () => {
  let refusal = new Refusal('plan.name', 'Enter a name for the plan that no other plan has.')
  const { user } = await openPage({ address: '?edit=3', responses: { 'PUT /api/plan/3': () => refusal } })
  const drawer = within(await screen.findByRole('dialog', { name: 'Edit plan' }))
  expect(drawer.getByText(/^Limits, models and groups change for active subscriptions at once/)).toBeTruthy()
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  expect(await drawer.findByText('Enter a name for the plan that no other plan has.')).toBeTruthy()
  refusal = new Refusal('window.limit', 'Daily: the limit is too high.', 200, 'windows.0.limit')
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  expect(await drawer.findByText('Daily: the limit is too high.')).toBeTruthy()
})

test('a plan is taken off sale with everything else as it was', async () => {
  const { user, written } = await openPage({ responses: { 'PUT /api/plan/3': () => aPlan({ is_on_sale: false }) } })
  await user.click(screen.getByRole('button', { name: 'More actions for “Pro”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Take off sale' }))
  expect(await screen.findByText('“Pro” is off sale')).toBeTruthy()
  expect(written()[0]?.body).toEqual({ ...settingsOf(pro), is_on_sale: false })
})

test('a plan without subscriptions is deleted after a question; of one that runs the refusal is told', async () => {
  const { user, written } = await openPage({
    responses: {
      'DELETE /api/plan/4': () => undefined,
      'DELETE /api/plan/3': () => new Refusal('plan.running', 'The plan is running for 2 users.'),
    },
  })
  await user.click(screen.getByRole('button', { name: 'More actions for “Pro”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  expect(await screen.findByText('The plan is running for 2 users.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'More actions for “Gift”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Plan deleted')).toBeTruthy()
  expect(written().map(({ path }) => path)).toEqual(['/api/plan/3', '/api/plan/4'])
})

test('a plan is given to a user who is found by name', async () => {
  const { user, written } = await openPage({
    responses: {
      'GET /api/user/search': () => ({
        items: [aMember({ id: 9, username: 'lin' })],
        total: 1,
        page: 1,
        page_size: 20,
      }),
      'POST /api/plan/3/give': () => aUserSubscription({ username: 'lin' }),
    },
  })
  await user.click(screen.getByRole('button', { name: 'More actions for “Pro”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Give to a user' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Give “Pro” to a user' }))
  await user.type(dialog.getByRole('combobox', { name: 'User' }), 'li')
  await user.click(await screen.findByRole('option', { name: /lin/ }))
  expect(dialog.getByRole<HTMLInputElement>('combobox', { name: 'User' }).value).toBe('lin')
  await user.click(dialog.getByRole('button', { name: 'Give plan' }))
  expect(await screen.findByText('lin has the plan now')).toBeTruthy()
  expect(written()).toMatchObject([{ path: '/api/plan/3/give', body: { user_id: 9 } }])
})

test('the panel lists who runs a plan, and a subscription is ended with the rest of its price or without', async () => {
  const { user, written, calls } = await openPage({
    address: '?open=3',
    responses: {
      'POST /api/plan/subscriptions/11/end': () => aUserSubscription({ state: 'ended' }),
      'GET /api/plan/subscriptions/11/rest': () => ({
        rest: dollars(6),
        rest_by_time: dollars(9),
        rest_by_use: { limit: 'Month', rest: dollars(6) },
      }),
    },
  })
  const panel = within(await screen.findByRole('complementary'))
  expect(await panel.findByText('mei')).toBeTruthy()
  expect(panel.getByText(/\$20\.00 paid · \$4\.00 used/)).toBeTruthy()
  expect(calls.find(({ path }) => path === '/api/plan/subscriptions')?.query).toMatchObject({
    plan_id: '3',
    state: 'active',
  })
  await user.click(panel.getByRole('button', { name: 'More actions for the subscription of mei' }))
  await user.click(await screen.findByRole('menuitem', { name: 'End now' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'End “Pro” of mei?' }))
  expect(await dialog.findByText(/^What is left .* of the user: \$6\.00\.$/)).toBeTruthy()
  expect(dialog.getByText(/^\$9\.00 is left by time, \$6\.00 by what is unused of “Month”/)).toBeTruthy()
  await user.click(dialog.getByRole('checkbox', { name: 'Return the rest of the price' }))
  await user.click(dialog.getByRole('button', { name: 'End now' }))
  expect(await screen.findByText('Subscription ended')).toBeTruthy()
  expect(written()).toMatchObject([{ body: { returns_rest: false } }])
})

test('a site without plans offers to add one', async () => {
  serve({ 'GET /api/plan': () => [] })
  await renderConsole(<PlansPage />, {
    address: '/admin/plans',
    path: '/admin/plans',
    validateSearch: (search) => PlanSearch.parse(search),
    grants: writing,
  })
  expect(await screen.findByText('No plans yet')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Add a plan' })).toHaveLength(2)
})
