import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import { role, type Grant } from '@tollgate/contract'

import { hideColumns } from '../../../test/hide-columns'
import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { aMember } from '../../../test/user-factory'
import { UserSearch } from './user-search'
import { UsersPage } from './users-page'

const mei = aMember({ has_second_factor: true })

/** No test here looks at them. */
const unseen = ['id', 'status', 'role', 'group', 'requests', 'month', 'invited', 'secondFactor', 'seen']

async function open(
  grants: readonly Grant[] | undefined,
  address = '/admin/users',
  responses: Parameters<typeof serve>[0] = {},
) {
  const calls = serve({
    'GET /api/user': () => ({ items: [mei], page: 1, page_size: 10, total: 1 }),
    'GET /api/user/usage': () => [],
    'GET /api/user/7': () => mei,
    'GET /api/group': () => ['default'],
    ...responses,
  })
  hideColumns('users', unseen)
  const view = await renderConsole(<UsersPage />, {
    address,
    path: '/admin/users',
    validateSearch: (search) => UserSearch.parse(search),
    user: { role: role.admin },
    ...(grants && { grants }),
  })
  // Once in its row, and once more in a panel that is open.
  await screen.findAllByText('Mei')
  return { ...view, calls }
}

const names = (kind: 'button' | 'menuitem') =>
  screen.queryAllByRole(kind).map((element) => element.getAttribute('aria-label') ?? element.textContent)

test('readers without write access are offered no changes, and may export what they select', async () => {
  const { user } = await open(['users.read'])
  for (const name of ['Add user', 'Edit']) expect(names('button')).not.toContain(name)
  await user.click(screen.getByRole('checkbox', { name: 'Select row' }))
  const bar = within(screen.getByRole('region', { name: /selected/i }))
  expect(bar.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Export', 'Clear selection'])
})

test('the other fields are disabled for readers who may change only balances', async () => {
  await open(['users.read', 'balances.write'], '/admin/users?edit=7')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit mei' }))
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Username' }).disabled).toBe(true)
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /^Quota to add/ }).disabled).toBe(false)
})

test('readers who may not change balances see the balance without a field', async () => {
  await open(['users.read', 'users.write'], '/admin/users?edit=7')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit mei' }))
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Username' }).disabled).toBe(false)
  expect(dialog.queryByRole('textbox', { name: /^Quota to add/ })).toBeNull()
})

test('an amount a hundred times above the usual is asked about before it is added to a balance', async () => {
  const { user, calls } = await open(undefined, '/admin/users?edit=7', { 'PUT /api/user': () => mei })
  const drawer = within(await screen.findByRole('dialog', { name: 'Edit mei' }))
  await user.type(drawer.getByRole('textbox', { name: /^Quota to add/ }), '500000')
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/^Quota to add would be \$500,000\.00/)).toBeTruthy()
  const getSentCalls = () => calls.filter(({ method }) => method === 'PUT')
  expect(getSentCalls()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Save anyway' }))
  await waitFor(() => expect(getSentCalls()).toMatchObject([{ body: { id: 7, quota: mei.quota + 250_000_000_000 } }]))
})

test('an amount a hundred times above the usual is asked about before it is added to several balances', async () => {
  const { user, calls } = await open(undefined, '/admin/users', { 'POST /api/user/bulk': () => [] })
  await user.click(screen.getByRole('checkbox', { name: 'Select row' }))
  await user.click(screen.getByRole('button', { name: 'Change balance' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Change balance' }))
  await user.type(drawer.getByRole('textbox', { name: /^Quota to add/ }), '-500000')
  await user.type(drawer.getByRole('textbox', { name: /^Reason/ }), 'Refund')
  await user.click(drawer.getByRole('button', { name: 'Change 1 user' }))
  expect(await screen.findByText(/^Quota to add would be .*500,000\.00/)).toBeTruthy()
  const getSentCalls = () => calls.filter(({ method }) => method === 'POST')
  expect(getSentCalls()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Save anyway' }))
  await waitFor(() => expect(getSentCalls()).toMatchObject([{ body: { quota: -250_000_000_000 } }]))
})

test('removing second factors asks for a reason and sends it', async () => {
  const { user, calls } = await open(undefined, '/admin/users', { 'DELETE /api/user/7/factors': () => undefined })
  await user.click(screen.getByRole('button', { name: 'More actions for “mei”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove second factors' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove the second factors of “mei”?' }))
  const remove = dialog.getByRole<HTMLButtonElement>('button', { name: 'Remove second factors' })
  expect(remove.disabled).toBe(true)
  await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), ' Lost the phone ')
  await user.click(remove)
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ method: 'GET' }))
  expect(calls.find(({ method }) => method === 'DELETE')).toMatchObject({ body: { reason: 'Lost the phone' } })
})

test('a head sorts all users on the server, and the order, the page and the filters are in the address', async () => {
  const { user, calls, router } = await open(undefined, '/admin/users?page=3&status=enabled&role=1', {
    'GET /api/user/search': () => ({ items: [mei], page: 3, page_size: 20, total: 41 }),
  })
  const requests = () => calls.filter(({ path }) => path === '/api/user/search').at(-1)?.query
  expect(requests()).toMatchObject({ p: '3', status: 'enabled', role: '1' })
  await user.click(screen.getByRole('button', { name: 'Used' }))
  await waitFor(() => expect(requests()).toMatchObject({ p: '1', sort: 'used', descending: 'true', status: 'enabled' }))
  expect(router.state.location.search).toEqual({ status: 'enabled', role: 1, sort: 'used', descending: true })
  await user.click(screen.getByRole('button', { name: 'Used' }))
  await waitFor(() => expect(requests()?.['descending']).toBeUndefined())
  await user.click(screen.getByRole('button', { name: 'Used' }))
  await waitFor(() => expect(requests()?.['sort']).toBeUndefined())
})

test('selected users are banned together with a reason, or get a message', async () => {
  const { user, calls, router } = await open(undefined, '/admin/users', {
    'POST /api/user/bulk': () => [{ id: 7, outcome: 'changed', message: '' }],
  })
  await user.click(screen.getByRole('checkbox', { name: 'Select row' }))
  await user.click(screen.getByRole('button', { name: 'Ban' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Ban' }))
  await user.click(drawer.getByRole('button', { name: 'Change 1 user' }))
  expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  await user.type(drawer.getByRole('textbox', { name: /^Reason/ }), 'Fraud')
  await user.click(drawer.getByRole('button', { name: 'Change 1 user' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ ids: [7], status: 2, reason: 'Fraud' }),
  )
  await screen.findByText('1 user changed')
  await user.click(screen.getByRole('checkbox', { name: 'Select row' }))
  await user.click(screen.getByRole('button', { name: 'Message' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/messages'))
  expect(router.state.location.search).toEqual({ edit: 'new', recipients: '7' })
})

test('the month of a user has its lines while it is read, and none of them counts as 0', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly object[]>()
  await open(undefined, '/admin/users?open=7', { 'GET /api/user/usage': () => promise })
  await screen.findByText('Spent in 30 days')
  const figures = () =>
    ['Spent in 30 days', 'Calls in 30 days'].map((label) => screen.getByText(label).nextElementSibling?.textContent)
  expect(figures()).toEqual(['–', '–'])
  resolve([{ id: 7, quota: 500_000, calls: 3, tokens: 9000, seen_at: 0 }])
  await waitFor(() => expect(figures()).toEqual(['$1.00', '3']))
})

test('users near a limit are found by a filter, with the limit in their row', async () => {
  const standing = {
    id: 1,
    owner: 'group',
    subject_id: 7,
    name: 'Daily',
    measure: 'requests',
    span: 'day',
    limit: 10,
    used: 9,
    remaining: 1,
    resets_at: null,
  }
  const { calls } = await open(undefined, '/admin/users?near=true', {
    'GET /api/user/search': () => ({ items: [mei], page: 1, page_size: 10, total: 1 }),
    'GET /api/window/standing': () => [standing],
  })
  expect(await screen.findByText('1 of 10 calls left')).toBeTruthy()
  expect(calls.find(({ path }) => path === '/api/user/search')?.query).toMatchObject({ near_limit: 'true' })
  expect(calls.find(({ path }) => path === '/api/window/standing')?.query).toEqual({ owner: 'user', ids: '7' })
})

test('the limits of a user open from the address, read-only for those who may not change users', async () => {
  const responses = { 'GET /api/window': () => ({ windows: [], standings: [] }) }
  await open(['users.read'], '/admin/users?limits=7', responses)
  expect(await screen.findByText('No limits')).toBeTruthy()
  expect(screen.getByRole('dialog', { name: 'Limits of “mei”' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add a limit' })).toBeNull()
})
