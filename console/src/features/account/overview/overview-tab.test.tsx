import { afterEach, expect, test } from 'bun:test'
import type { userRoutes } from '@tollgate/contract'
import { screen, waitFor, within } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { serve, Refusal } from '../../../../test/server'
import { aTurnstile } from '../../../../test/turnstile'
import { anAccount } from '../../../../test/user-factory'
import { OverviewTab } from './overview-tab'

afterEach(() => localStorage.clear())

const dollar = 500_000
const noCommissions = { rate: 0, days: 0, delay_days: 14, pending: 0, next_at: null, settled: 0 }
const mayCheckIn = { can_check_in: true, min_quota: 5000, max_quota: 50_000, time_zone: 'UTC' }

async function open(
  fields: Partial<userRoutes.UserEntity> = {},
  responses: Parameters<typeof serve>[0] = {},
  options: Parameters<typeof renderConsole>[1] = {},
) {
  const calls = serve({
    'GET /api/user/self': () => anAccount(fields),
    'GET /api/user/models': () => [],
    'GET /api/user/aff': () => 'q7Xk',
    'GET /api/user/aff/commissions': () => noCommissions,
    'GET /api/user/check_in_status': () => mayCheckIn,
    ...responses,
  })
  const view = await renderConsole(<OverviewTab />, options)
  await screen.findByText('Ada Lovelace')
  const callsTo = (method: string, path: string) => calls.filter((call) => call.method === method && call.path === path)
  return { ...view, calls, callsTo }
}

test.each([
  [1, 'User'],
  [10, 'Administrator'],
  [100, 'Administrator'],
])('an account of role %p has the badge %p and shows balance, spending and calls', async (role, badge) => {
  await open({ role })
  const card = within(screen.getByRole('region', { name: 'Account' }))
  for (const text of [badge, '$10.00', '$0.50', '1,234', 'default', 'Not linked']) {
    expect(card.getByText(text)).toBeTruthy()
  }
})

test('check-in and invitations are absent where the site disables them', async () => {
  const { calls } = await open()
  expect(screen.queryByText('Daily check-in')).toBeNull()
  expect(screen.queryByText('Invite others')).toBeNull()
  expect(calls.map(({ path }) => path).sort()).toEqual(['/api/user/models', '/api/user/self'])
})

test('a check-in adds to the balance, is done for today, and reloads the account', async () => {
  let isDone = false
  const { user, callsTo } = await open(
    {},
    {
      'GET /api/user/check_in_status': () => ({ ...mayCheckIn, can_check_in: !isDone }),
      'POST /api/user/check_in': () => {
        isDone = true
        return { quota: 25_000 }
      },
    },
    { site: { check_in_enabled: true } },
  )
  expect(await screen.findByText(/\$0\.01 to \$0\.10/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Check in' }))
  expect(await screen.findByText('Checked in: $0.05 added to your balance')).toBeTruthy()
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Checked in today' })
  expect(button.disabled).toBe(true)
  expect(callsTo('POST', '/api/user/check_in')).toHaveLength(1)
  await waitFor(() => expect(callsTo('GET', '/api/user/self')).toHaveLength(2))
})

test('a check-in sends the token of the bot check, and requests a new one after a refusal', async () => {
  const widgets = aTurnstile()
  const { user, callsTo } = await open(
    {},
    { 'POST /api/user/check_in': () => new Refusal('turnstile.failed', 'The check failed') },
    { site: { check_in_enabled: true, turnstile_check: true, turnstile_site_key: 'key' } },
  )
  await waitFor(() => expect(widgets.map(({ action }) => action)).toEqual(['check-in']))
  await user.click(screen.getByRole('button', { name: 'Check in' }))
  expect(callsTo('POST', '/api/user/check_in')).toEqual([])
  widgets[0]?.solve('token-1')
  await waitFor(async () => {
    await user.click(screen.getByRole('button', { name: 'Check in' }))
    expect(callsTo('POST', '/api/user/check_in')[0]?.query).toEqual({ turnstile: 'token-1' })
  })
  await waitFor(() => expect(widgets).toHaveLength(2))
})

test('the invitation link can be copied', async () => {
  const { user } = await open({}, {}, { site: { aff_enabled: true, server_address: 'https://gate.example.com' } })
  expect(await screen.findByText('https://gate.example.com/register?aff=q7Xk')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Copy the link' }))
  expect(await navigator.clipboard.readText()).toBe('https://gate.example.com/register?aff=q7Xk')
})

test('earnings are transferred to the balance, from one unit to all of them', async () => {
  const { user, callsTo } = await open(
    { aff_quota: 3 * dollar },
    { 'POST /api/user/aff_transfer': () => undefined },
    { site: { aff_enabled: true } },
  )
  await user.click(screen.getByRole('button', { name: 'Transfer to balance' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Transfer to your balance' }))
  const amount = dialog.getByRole('textbox', { name: 'Amount' })
  const submit = dialog.getByRole('button', { name: 'Transfer to balance' })
  for (const [typed, fault] of [
    ['0.99', 'Transfer at least $1.00'],
    ['3.01', 'You have only $3.00'],
  ] as const) {
    await user.clear(amount)
    await user.type(amount, typed)
    await user.click(submit)
    expect(await dialog.findByText(fault)).toBeTruthy()
  }
  await user.clear(amount)
  await user.type(amount, '2')
  await user.click(submit)
  expect(await screen.findByText('The amount has been added to your balance')).toBeTruthy()
  expect(callsTo('POST', '/api/user/aff_transfer').map(({ body }) => body)).toEqual([{ quota: 2 * dollar }])
  await waitFor(() => expect(callsTo('GET', '/api/user/self').length).toBeGreaterThan(1))
})

test('the invitation card tells what top-ups of invited users bring, and what is to come', async () => {
  const terms = { rate: 7.5, days: 30, delay_days: 3, pending: dollar, next_at: 1_700_000_000, settled: 2 * dollar }
  await open({}, { 'GET /api/user/aff/commissions': () => terms }, { site: { aff_enabled: true } })
  const card = within(await screen.findByRole('region', { name: 'Invite others' }))
  for (const text of ['7.5%', '$1.00', '$2.00']) expect(await card.findByText(text)).toBeTruthy()
  expect(
    card.getByText(/You get 7\.5% of what those you invite top up in their first 30 days, 3 days after each top-up\./),
  ).toBeTruthy()
  expect(card.getByText(/Next credit: 2023-11-14/)).toBeTruthy()
})

test('commission that is credited at once says so', async () => {
  const terms = { ...noCommissions, rate: 5, delay_days: 0 }
  await open({}, { 'GET /api/user/aff/commissions': () => terms }, { site: { aff_enabled: true } })
  expect(await screen.findByText('You get 5% of every top-up of those you invite, at once.')).toBeTruthy()
})

test('the invitation card has no commissions where top-ups bring none, and the link where registering needs one', async () => {
  await open({}, {}, { site: { invitation_required: true, server_address: 'https://gate.example.com' } })
  expect(await screen.findByText('https://gate.example.com/register?aff=q7Xk')).toBeTruthy()
  expect(screen.queryByText('Commission')).toBeNull()
})

test('less than one unit cannot be transferred', async () => {
  await open({ aff_quota: dollar - 1 }, {}, { site: { aff_enabled: true } })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Transfer to balance' }).disabled).toBe(true)
})

test('remaining earnings can be transferred after invitations were disabled', async () => {
  const { calls } = await open({ aff_quota: dollar })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Transfer to balance' }).disabled).toBe(false)
  expect(calls.some(({ path }) => path === '/api/user/aff')).toBe(false)
})

test('models beyond ten are shown on request, which the browser remembers; a click copies a name', async () => {
  const models = Array.from({ length: 12 }, (_, index) => `model-${String(index + 1).padStart(2, '0')}`)
  const { user } = await open({}, { 'GET /api/user/models': () => models })
  expect(await screen.findByText('model-10')).toBeTruthy()
  expect(screen.queryByText('model-11')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show all 12' }))
  expect(localStorage.getItem('modelsExpanded')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'model-12' }))
  expect(await navigator.clipboard.readText()).toBe('model-12')
  await user.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(screen.queryByText('model-12')).toBeNull()
})
