import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import type { tokenRoutes } from '@tollgate/contract'

import { aSite } from '../../../test/factories'
import { renderConsole } from '../../../test/render'
import { Refusal, serve, type MadeCall } from '../../../test/server'
import { aToken } from '../../../test/token-factory'
import type { TokenSearch } from './token-search'
import { TokensTable } from './tokens-table'

const pageOf = (items: readonly tokenRoutes.TokenEntity[]) => ({ items, page: 0, page_size: 10, total: items.length })
const two = [aToken({ id: 1, name: 'one', status: 2 }), aToken({ id: 2, name: 'two' })]

async function openTable(answers: Parameters<typeof serve>[0], search: TokenSearch = {}) {
  const calls = serve({ 'GET /api/token': () => pageOf(two), ...answers })
  const changes: Partial<TokenSearch>[] = []
  const view = await renderConsole(
    <TokensTable search={search} setSearch={(change) => changes.push(change)} onConnect={() => {}} />,
  )
  return { ...view, calls, changes }
}

const asked = (calls: readonly MadeCall[], method: string) =>
  calls.filter((call) => call.method === method).map(({ path, query, body }) => ({ path, query, body }))

test('the first page is page 0 for the server', async () => {
  const { calls } = await openTable({})
  await screen.findByText('one')
  expect(calls[0]?.query).toEqual({ p: '0', size: '10' })
})

test('a search asks the search', async () => {
  const { calls } = await openTable(
    { 'GET /api/token/search': () => pageOf([]) },
    { keyword: 'shop', token: 'sk-Ab', page: 2 },
  )
  await screen.findByText('Nothing matches the filters')
  expect(asked(calls, 'GET')).toEqual([
    { path: '/api/token/search', query: { p: '1', size: '10', keyword: 'shop', token: 'sk-Ab' }, body: undefined },
  ])
})

test('a refused change of status is taken back', async () => {
  const answer = Promise.withResolvers<unknown>()
  const { user, calls } = await openTable({ 'PUT /api/token': () => answer.promise })
  await user.click(await screen.findByRole('button', { name: 'Enable' }))
  await waitFor(() => expect(screen.queryByText('Disabled')).toBeNull())
  answer.resolve(new Refusal('token.expired_enable', 'The token has expired'))
  expect(await screen.findByText('The token has expired')).toBeTruthy()
  expect(await screen.findByText('Disabled')).toBeTruthy()
  expect(asked(calls, 'PUT')).toEqual([
    { path: '/api/token', query: { status_only: 'true' }, body: { id: 1, status: 1 } },
  ])
})

test('of many, each that fails is told with its reason', async () => {
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
  expect(await screen.findByText('1 done, 1 failed, 0 not tried.')).toBeTruthy()
  expect(screen.getByText('There is no such token')).toBeTruthy()
  expect(asked(calls, 'DELETE').map(({ path }) => path)).toEqual(['/api/token/1', '/api/token/2'])
})

test('without tokens the first one is a click away', async () => {
  const { user, changes } = await openTable({ 'GET /api/token': () => pageOf([]) })
  await user.click(await screen.findByRole('button', { name: 'Create token' }))
  expect(changes).toEqual([{ edit: 'new' }])
})

test('a chat entry of a row leads to the chat page with the id of that token, and no key', async () => {
  const chats = [{ Elsewhere: 'https://chat.example/?key={key}' }]
  serve({ 'GET /api/token': () => pageOf(two) })
  const { user, router } = await renderConsole(<TokensTable search={{}} setSearch={() => {}} onConnect={() => {}} />, {
    site: { ...aSite(), chats },
  })
  await user.click(await screen.findByRole('button', { name: 'More for “two”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Chat: Elsewhere' }))
  await waitFor(() => expect(router.state.location.href).toBe('/chat/0?token=2'))
})
