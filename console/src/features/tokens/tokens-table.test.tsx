import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { tokenRoutes } from '@tollgate/contract'

import { aSite } from '../../../test/factories'
import { hideColumns } from '../../../test/hide-columns'
import { renderConsole } from '../../../test/render'
import { Refusal, serve, type RecordedCall } from '../../../test/server'
import { aToken } from '../../../test/token-factory'
import { untilGone } from '../../../test/until-gone'
import type { TokenSearch } from './token-search'
import { TokensTable } from './tokens-table'

const pageOf = (items: readonly tokenRoutes.TokenEntity[]) => ({ items, page: 0, page_size: 10, total: items.length })
const two = [aToken({ id: 1, name: 'one', status: 2 }), aToken({ id: 2, name: 'two' })]

async function openTable(responses: Parameters<typeof serve>[0], search: TokenSearch = {}) {
  const calls = serve({ 'GET /api/token': () => pageOf(two), ...responses })
  const changes: Partial<TokenSearch>[] = []
  hideColumns('tokens', ['left', 'group', 'expires', 'ip', 'spent', 'created'])
  const view = await renderConsole(
    <TokensTable
      search={search}
      setSearch={(change) => changes.push(change)}
      onConnect={() => {}}
      onRotate={() => {}}
    />,
  )
  return { ...view, calls, changes }
}

const requests = (calls: readonly RecordedCall[], method: string) =>
  calls.filter((call) => call.method === method).map(({ path, query, body }) => ({ path, query, body }))

const inTable = () => within(screen.getByRole('table'))

test('the first page is page 0 for the server', async () => {
  const { calls } = await openTable({})
  await screen.findByText('one')
  expect(calls.find(({ path }) => path === '/api/token')?.query).toEqual({ p: '0', size: '20' })
})

test('a key that the site hides is shown masked until it is revealed', async () => {
  const key = 'a'.repeat(48)
  const hidden = aToken({ id: 3, name: 'three', key: `${'*'.repeat(44)}aaaa` })
  const { user } = await openTable({
    'GET /api/token': () => pageOf([hidden]),
    'POST /api/token/3/key': () => ({ key }),
  })
  expect(await screen.findByText('sk-••••••••aaaa')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Copy key' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show the key' }))
  await user.click(await screen.findByRole('button', { name: 'Copy key' }))
  expect(await navigator.clipboard.readText()).toBe(`sk-${key}`)
})

test('a keyword uses the search call', async () => {
  const { calls } = await openTable(
    { 'GET /api/token/search': () => pageOf([]) },
    { keyword: 'sk-Ab', status: 4, group: 'vip', sort: 'left', descending: true, page: 2 },
  )
  await screen.findByText('No results match your filters')
  expect(requests(calls, 'GET').filter(({ path }) => path.startsWith('/api/token'))).toEqual([
    {
      path: '/api/token/search',
      query: { p: '1', size: '20', either: 'sk-Ab', status: '4', group: 'vip', sort: 'left', descending: 'true' },
      body: undefined,
    },
  ])
})

test('a refused status change is reverted', async () => {
  const response = Promise.withResolvers<unknown>()
  const { user, calls } = await openTable({ 'PUT /api/token': () => response.promise })
  await user.click(await screen.findByRole('button', { name: 'Enable' }))
  await untilGone(() => inTable().queryByText('Disabled'))
  response.resolve(new Refusal('token.expired_enable', 'The token has expired'))
  expect(await screen.findByText('The token has expired')).toBeTruthy()
  expect(await inTable().findByText('Disabled')).toBeTruthy()
  expect(requests(calls, 'PUT')).toEqual([
    { path: '/api/token', query: { status_only: 'true' }, body: { id: 1, status: 1 } },
  ])
})

test('a bulk action reports each failure with its reason', async () => {
  const { user, calls } = await openTable({
    'DELETE /api/token/1': () => new Refusal('token.none', 'There is no such token'),
    'DELETE /api/token/2': () => undefined,
  })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all rows on this page' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  const confirm = await screen.findByRole('dialog', { name: 'Delete 2 tokens?' })
  await user.click(
    [...confirm.querySelectorAll('button')].find(({ textContent }) => textContent === 'Delete') ?? confirm,
  )
  expect(await screen.findByText('1 succeeded, 1 failed, 0 not attempted.')).toBeTruthy()
  expect(screen.getByText('There is no such token')).toBeTruthy()
  expect(requests(calls, 'DELETE').map(({ path }) => path)).toEqual(['/api/token/1', '/api/token/2'])
})

test('an empty list offers to create the first token', async () => {
  const { user, changes } = await openTable({ 'GET /api/token': () => pageOf([]) })
  await user.click(await screen.findByRole('button', { name: 'Create token' }))
  expect(changes).toEqual([{ edit: 'new' }])
})

test('a chat entry of a row opens the chat page with the token’s id, without its key', async () => {
  const chats = [{ Elsewhere: 'https://chat.example/?key={key}' }]
  serve({ 'GET /api/token': () => pageOf(two) })
  const { user, router } = await renderConsole(
    <TokensTable search={{}} setSearch={() => {}} onConnect={() => {}} onRotate={() => {}} />,
    {
      site: { ...aSite(), chats },
    },
  )
  await user.click(await screen.findByRole('button', { name: 'More for “two”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Chat: Elsewhere' }))
  await waitFor(() => expect(router.state.location.href).toBe('/chat/0?token=2'))
})

test('spending of 30 days is one request for the whole page, by token name', async () => {
  const times = Array.from({ length: 30 }, (_, day) => day)
  const series = {
    id: null,
    name: 'one',
    is_other: false,
    count: 3,
    errors: 0,
    quota: 600_000,
    tokens: 9,
    by_time: { count: times, quota: times, tokens: times },
  }
  const noUsage = { count: 0, errors: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0, use_time: 0 }
  const data = {
    totals: noUsage,
    previous: noUsage,
    times,
    totals_by_time: { count: times, errors: times, quota: times, tokens: times },
    series: [series],
  }
  const { calls } = await openTable({ 'GET /api/data/self': () => data })
  expect((await screen.findByRole('link', { name: '$1.20' })).getAttribute('href')).toBe(
    '/app/logs/api-usage?token=one&range=month',
  )
  expect(screen.getByRole('link', { name: '$0.00' })).toBeTruthy()
  const requests = calls.filter(({ path }) => path === '/api/data/self')
  expect(requests.map(({ query }) => query)).toMatchObject([{ group_by: 'token', granularity: 'day' }])
})

test('a token shows until when its old key works', async () => {
  const until = Math.floor(Date.now() / 1000) + 7200
  await openTable({ 'GET /api/token': () => pageOf([aToken({ previous_key_until: until })]) })
  expect((await screen.findByText(/^Old key stops/)).textContent).toMatch(/^Old key stops in [12] hours?$/)
})

test('a column sorts the list on the server', async () => {
  const { user, changes } = await openTable({})
  await user.click(await screen.findByRole('button', { name: 'Last used' }))
  expect(changes).toEqual([{ sort: 'used', descending: true, page: undefined }])
})

test('tokens are filtered by status, and by group where there are several', async () => {
  const groups = { default: { desc: '', ratio: 1 }, vip: { desc: '', ratio: 2 } }
  const { user, changes } = await openTable({ 'GET /api/user/self/groups': () => groups })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Any status' }), 'Exhausted')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Any group' }), 'vip')
  expect(changes).toEqual([
    { status: 4, page: undefined },
    { group: 'vip', page: undefined },
  ])
})

test('a row shows the limit that is used up first, and its menu leads to all', async () => {
  const standing = {
    id: 1,
    owner: 'token',
    subject_id: 2,
    name: 'Daily',
    measure: 'requests',
    span: 'day',
    limit: 10,
    used: 9,
    remaining: 1,
    resets_at: null,
    key_name: 'two',
    plan_name: '',
  }
  const ofAccount = { ...standing, id: 2, owner: 'user', subject_id: 1, used: 0 }
  const { user, changes } = await openTable({ 'GET /api/user/self/windows': () => [standing, ofAccount] })
  const row = within((await screen.findByText('1 of 10 calls left')).closest('tr') ?? document.body)
  expect(row.getByText('two')).toBeTruthy()
  expect(screen.getAllByRole('progressbar')).toHaveLength(1)
  await user.click(row.getByRole('button', { name: 'More for “two”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Limits' }))
  expect(changes).toEqual([{ limits: 2 }])
})

test('tokens near a limit are found by a filter', async () => {
  const { user, calls, changes } = await openTable({}, { near: true })
  await screen.findByText('one')
  expect(calls.find(({ path }) => path === '/api/token')?.query).toMatchObject({ near_limit: 'true' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Any use of limits' }), '')
  expect(changes).toEqual([{ near: undefined, page: undefined }])
})
