import { expect, test } from 'bun:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'

import { aLog } from '../../../test/log-factory'
import { openLogsPage, pageOf } from '../../../test/open-logs-page'

const admin = { role: 100 }
const rows = [
  aLog({ id: 2, model_name: 'gpt-4o', username: 'mei', channel: 4, channel_name: 'Dublin', token_name: 'shop' }),
  aLog({
    id: 1,
    type: 6,
    model_name: 'o3',
    channel: 5,
    channel_name: 'Oslo',
    details: { error_code: 'upstream.busy' },
  }),
]
const responses = {
  'GET /api/log': () => pageOf(rows),
  'GET /api/channel/4': () => ({ id: 4, name: 'Dublin' }),
}
const lastQuery = (calls: readonly { readonly path: string; readonly query: object }[], path: string) =>
  calls.filter((call) => call.path === path).at(-1)?.query

test('the menu of a value filters by it or excludes it, in the list and in the sums', async () => {
  const { user, address, calls } = await openLogsPage(responses, { user: admin })
  fireEvent.contextMenu(await screen.findByText('gpt-4o'))
  await user.click(await screen.findByRole('menuitem', { name: 'Model is not gpt-4o' }))
  await waitFor(() => expect(address()).toEqual({ not: { model: ['gpt-4o'] } }))
  await waitFor(() => expect(lastQuery(calls, '/api/log')).toMatchObject({ not_model_name: 'gpt-4o' }))
  await waitFor(() => expect(lastQuery(calls, '/api/log/stat')).toMatchObject({ not_model_name: 'gpt-4o' }))
  fireEvent.contextMenu(screen.getByText('o3'))
  await user.click(await screen.findByRole('menuitem', { name: 'Model is o3' }))
  await waitFor(() => expect(address()).toEqual({ model: 'o3', not: { model: ['gpt-4o'] } }))
})

test('F opens a menu of all values of the focused row', async () => {
  const { user, address } = await openLogsPage(responses, { user: admin })
  const row = (await screen.findByText('o3')).closest('tr')
  row?.focus()
  await user.keyboard('f')
  const menu = await screen.findByRole('menu')
  const names = within(menu).getAllByRole('menuitem')
  expect(names.map(({ textContent }) => textContent)).toEqual([
    'Model is o3',
    'Model is not o3',
    'Channel is Oslo',
    'Channel is not Oslo',
    'Username is ada',
    'Username is not ada',
    'Token is Web shop',
    'Token is not Web shop',
    'Group is default',
    'Group is not default',
    'Error code is upstream.busy',
    'Error code is not upstream.busy',
  ])
  await user.click(within(menu).getByRole('menuitem', { name: 'Error code is not upstream.busy' }))
  await waitFor(() => expect(address()).toEqual({ not: { error: ['upstream.busy'] } }))
})

test('users have no filters for channels and users', async () => {
  const { user } = await openLogsPage({ 'GET /api/log/self': () => pageOf(rows) })
  ;(await screen.findByText('o3')).closest('tr')?.focus()
  await user.keyboard('f')
  const menu = await screen.findByRole('menu')
  expect(within(menu).queryByRole('menuitem', { name: /Channel|User/ })).toBeNull()
})

test('excluded values are chips that can be removed', async () => {
  const search = `?not=${encodeURIComponent(JSON.stringify({ channel: ['4'], model: ['o3'] }))}`
  const { user, address } = await openLogsPage(responses, { search, user: admin })
  expect(await screen.findByRole('button', { name: 'Filters (2)' })).toBeTruthy()
  expect((await screen.findByText('Channel is not')).parentElement?.textContent).toBe('Channel is not Dublin')
  await user.click(screen.getByRole('button', { name: 'Include Model o3 again' }))
  await waitFor(() => expect(address()).toEqual({ not: { channel: ['4'] } }))
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(address()).toEqual({}))
})

test('the open row links to its channel and filters by its values', async () => {
  const { user, address } = await openLogsPage(
    { ...responses, 'GET /api/log/2': () => rows[0] },
    { search: '?open=2', user: admin },
  )
  const panel = await screen.findByRole('complementary')
  const link = await within(panel).findByRole('link', { name: 'Dublin' })
  expect(link.getAttribute('href')).toBe('/admin/channels?edit=4')
  await user.click(within(panel).getByRole('button', { name: 'Filter by Token' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Token is shop' }))
  await waitFor(() => expect(address()).toMatchObject({ token: 'shop' }))
})

test('a view stores the filters under a name and restores them', async () => {
  let setting = '{}'
  const { user, address } = await openLogsPage(
    {
      ...responses,
      'GET /api/user/self': () => ({ setting }),
      'PUT /api/user/setting': ({ body }) => {
        setting = JSON.stringify(body)
      },
    },
    { search: '?group=vip&slow=3&page=2', user: admin },
  )
  await user.click(await screen.findByRole('button', { name: 'Views' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Save this view…' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Slow VIPs{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Slow VIPs' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Failed calls' }))
  await waitFor(() => expect(address()).toEqual({ type: 6 }))
  await user.click(await screen.findByRole('button', { name: 'Failed calls' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Slow VIPs' }))
  await waitFor(() => expect(address()).toEqual({ group: 'vip', slow: 3 }))
  await user.click(await screen.findByRole('button', { name: 'Slow VIPs' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete “Slow VIPs”' }))
  expect(await screen.findByRole('button', { name: 'Views' })).toBeTruthy()
  expect(JSON.parse(setting)).toEqual({ log_views: [] })
})
