import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import { role, type Grant, type tokenRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { AllTokenSearch } from './all-token-search'
import { AllTokensPage } from './all-tokens-page'

const token: tokenRoutes.AnyToken = {
  id: 5,
  user_id: 7,
  username: 'mei',
  effective_group: 'vip',
  key: `${'*'.repeat(44)}a1b2`,
  name: 'Web shop',
  status: 1,
  created_time: 1_700_000_000,
  accessed_time: 0,
  last_ip: '',
  expired_time: -1,
  remain_quota: 500_000,
  remain_quota_read: 500_000,
  used_quota: 1_000_000,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  rate_limit_enabled: false,
  rate_limit_period: 60,
  rate_limit_count: 0,
  rate_limit_success: 0,
  response_cache: 'group',
  previous_key_until: 0,
}

async function open(address = '/admin/tokens', grants?: readonly Grant[]) {
  const calls = serve({
    'GET /api/token/all': () => ({ items: [token], page: 0, page_size: 20, total: 1 }),
    'GET /api/group': () => ['default', 'vip'],
    'PUT /api/token/all/status': () => 1,
  })
  const view = await renderConsole(<AllTokensPage />, {
    address,
    path: '/admin/tokens',
    validateSearch: (search) => AllTokenSearch.parse(search),
    user: { role: role.admin },
    ...(grants && { grants }),
  })
  await screen.findByText('Web shop')
  const requests = () =>
    calls.filter(({ method }) => method === 'GET').findLast(({ path }) => path === '/api/token/all')?.query
  return { ...view, calls, requests }
}

test('tokens of all users have their owner, what is left and spent, and no key', async () => {
  await open()
  const row = within(screen.getByText('Web shop').closest('tr') ?? document.body)
  expect(row.getByRole('link', { name: 'mei' }).getAttribute('href')).toBe('/admin/users?open=7&keyword=mei')
  for (const text of ['$1.00', '$2.00', 'vip', 'sk-…a1b2']) expect(row.getByText(text)).toBeTruthy()
})

test('filters and order of the address are those of the call', async () => {
  const { user, requests } = await open('/admin/tokens?username=mei&status=3&group=vip&page=2')
  expect(requests()).toMatchObject({ p: '1', username: 'mei', status: '3', group: 'vip' })
  await user.click(screen.getByRole('button', { name: 'Spent' }))
  await waitFor(() => expect(requests()).toMatchObject({ p: '0', sort: 'spent', descending: 'true', username: 'mei' }))
})

test('selected tokens are disabled once that is confirmed', async () => {
  const { user, calls } = await open()
  await user.click(screen.getByRole('checkbox', { name: 'Select row' }))
  await user.click(screen.getByRole('button', { name: 'Disable' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Disable 1 token?' }))
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
  await user.click(dialog.getByRole('button', { name: 'Disable' }))
  await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ ids: [5], status: 2 }))
})

test('readers without the grant to change users select nothing', async () => {
  await open('/admin/tokens', ['users.read'])
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('limits of a token open from its row, and those near one are found by a filter', async () => {
  const { user, calls, requests } = await open('/admin/tokens?near=true')
  expect(requests()).toMatchObject({ near_limit: 'true' })
  await user.click(screen.getByRole('button', { name: 'Limits' }))
  expect(await screen.findByRole('dialog', { name: 'Limits of the token “Web shop”' })).toBeTruthy()
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/window')?.query).toEqual({ owner: 'token', ref: '5' }),
  )
})
