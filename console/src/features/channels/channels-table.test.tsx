import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { Grant } from '@tollgate/contract'

import { aChannel, aVendor, channelColumns, hoursBefore, liveOf, trafficOf } from '../../../test/channel-factories'
import { hideColumns } from '../../../test/hide-columns'
import { aPhone } from '../../../test/narrow-window'
import { renderConsole } from '../../../test/render'
import { Refusal, serve, type RecordedCall } from '../../../test/server'
import { untilGone } from '../../../test/until-gone'
import { storedDismissal } from '../../domain/onboarding/use-is-guided'
import { ChannelSearch } from './channel-search'
import { ChannelsPage } from './channels-page'

const two = [
  aChannel({ id: 1, name: 'One', tag: 'team' }),
  aChannel({
    id: 2,
    name: 'Two',
    status: 3,
    other_info: JSON.stringify({ status_reason: 'The key was refused', status_time: 1_700_000_000 }),
  }),
]
const idle = () => ({ is_running: false, done: 0, failed: 0, total: 0, started_at: 0 })
const refuseMissing = () => new Refusal('channel.none', 'There is no such channel')

type Responses = Parameters<typeof serve>[0]

interface OpenOptions {
  readonly language?: 'en' | 'zh'
  readonly grants?: readonly Grant[]
  /** Those that the test looks at. */
  readonly looksAt?: readonly (typeof channelColumns)[number][]
}

async function open(responses: Responses = {}, { language = 'en', grants, looksAt = [] }: OpenOptions = {}) {
  hideColumns(
    'channels',
    channelColumns.filter((id) => !looksAt.includes(id)),
  )
  storedDismissal.set(true)
  const calls = serve({
    'GET /api/channel': () => ({ items: two, page: 1, page_size: 10, total: 2 }),
    'GET /api/channel/types': () => [aVendor({ has_balance: true })],
    'GET /api/channel/test/progress': idle,
    'GET /api/channel/update_balance/progress': idle,
    'GET /api/group': () => ['default', 'vip'],
    ...responses,
  })
  const view = await renderConsole(<ChannelsPage />, {
    address: '/admin/channels',
    language,
    path: '/admin/channels',
    validateSearch: (search) => ChannelSearch.parse(search),
    user: { role: 100 },
    ...(grants && { grants }),
  })
  await screen.findByText('One')
  const row = (name: string) => {
    const found = screen.getByText(name).closest('tr')
    if (!found) throw new Error(`no row ${name}`)
    return within(found)
  }
  const select = (name: string) => view.user.click(row(name).getByRole('checkbox'))
  const choose = async (menu: string, item: string) => {
    await view.user.click(screen.getByRole('button', { name: menu }))
    await view.user.click(await screen.findByRole('menuitem', { name: item }))
  }
  const callsOf = (method: string) =>
    calls.filter((call) => call.method === method).map(({ path, body }) => ({ path, body }))
  return { ...view, calls, row, select, choose, callsOf }
}

/** Confirms or cancels the open dialog. */
const confirm = async (title: string, choice: string, user: { click: (element: Element) => Promise<void> }) =>
  user.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name: choice }))

const reads = (calls: readonly RecordedCall[]) =>
  calls.filter(({ method, path }) => method === 'GET' && path === '/api/channel')

test('an automatically disabled channel shows the reason, also by keyboard', async () => {
  const { row } = await open({}, { looksAt: ['status'] })
  const badge = row('Two').getByText('Auto-disabled')
  const named = badge.closest('[tabindex]')
  expect(named).not.toBeNull()
  if (named instanceof HTMLElement) named.focus()
  expect(await screen.findByText(/The key was refused/)).toBeTruthy()
})

test('the list is shown although the call that names its vendors fails', async () => {
  const page = await open({ 'GET /api/channel/types': () => new Refusal('server.error', 'It broke') })
  expect(page.row('One').getByRole('button', { name: 'Disable' })).toBeTruthy()
})

test('a channel is switched off and on', async () => {
  const page = await open({ 'PUT /api/channel': () => two[0] })
  await page.user.click(page.row('One').getByRole('button', { name: 'Disable' }))
  await page.user.click(page.row('Two').getByRole('button', { name: 'Enable' }))
  await waitFor(() =>
    expect(page.callsOf('PUT').map(({ body }) => body)).toEqual([
      { id: 1, status: 2 },
      { id: 2, status: 1 },
    ]),
  )
})

test('a number is edited in place; a refused one stays in the field', async () => {
  let isRefused = true
  const page = await open(
    { 'PUT /api/channel': () => (isRefused ? new Refusal('channel.weight', 'That weight is refused') : two[0]) },
    { looksAt: ['weight'] },
  )
  const weight = page.row('One').getByRole<HTMLInputElement>('textbox', { name: 'Weight: One' })
  await page.user.clear(weight)
  await page.user.type(weight, '12{Enter}')
  expect(await screen.findByText('That weight is refused')).toBeTruthy()
  expect(weight.value).toBe('12')
  isRefused = false
  await page.user.type(weight, '{Enter}')
  await waitFor(() => expect(page.callsOf('PUT')).toHaveLength(2))
  expect(page.callsOf('PUT')[1]?.body).toEqual({ id: 1, weight: 12 })
})

test('deleting asks for confirmation', async () => {
  const page = await open({ 'DELETE /api/channel/1': () => undefined })
  await page.choose('More actions for One', 'Delete')
  await confirm('Delete channel “One”?', 'Cancel', page.user)
  expect(page.callsOf('DELETE')).toEqual([])
  await page.choose('More actions for One', 'Delete')
  await confirm('Delete channel “One”?', 'Delete', page.user)
  await waitFor(() => expect(page.callsOf('DELETE')).toEqual([{ path: '/api/channel/1', body: undefined }]))
  expect(await screen.findByText('The channel has been deleted')).toBeTruthy()
})

test('a failed copy shows the specification’s message', async () => {
  const page = await open(
    {
      'GET /api/channel/copy/1': () => new Refusal('db.error', '数据库错误'),
      'POST /api/channel/copy/1': refuseMissing,
    },
    { language: 'zh' },
  )
  await page.choose('One 的更多操作', '复制')
  expect(await screen.findByText(/^渠道复制失败: /)).toBeTruthy()
})

test('a deleted channel shows the specification’s message, and the list is read again', async () => {
  const page = await open({ 'PUT /api/channel': refuseMissing }, { language: 'zh' })
  await page.user.click(page.row('One').getByRole('button', { name: '禁用' }))
  expect(await screen.findByText('渠道未找到，请刷新页面后重试。')).toBeTruthy()
  await waitFor(() => expect(reads(page.calls).length).toBeGreaterThan(1))
})

test('a list that fails to refresh stays, with an error', async () => {
  let reads = 0
  const page = await open(
    {
      'GET /api/channel': () =>
        (reads += 1) === 1
          ? { items: two, page: 1, page_size: 10, total: 2 }
          : new Refusal('db.error', 'The database is away'),
    },
    { language: 'zh' },
  )
  await page.user.click(screen.getByRole('button', { name: '刷新' }))
  expect(await screen.findByText('刷新失败')).toBeTruthy()
  expect(screen.getByText('One')).toBeTruthy()
})

test('the selected channels are deleted together after a confirmation', async () => {
  const page = await open({ 'POST /api/channel/batch': () => 2 })
  await page.select('One')
  await page.select('Two')
  await page.user.click(await screen.findByRole('button', { name: 'Delete' }))
  await confirm('Delete 2 channels?', 'Delete', page.user)
  await waitFor(() => expect(page.callsOf('POST')).toEqual([{ path: '/api/channel/batch', body: { ids: [1, 2] } }]))
  expect(await screen.findByText('2 channels deleted')).toBeTruthy()
  await untilGone(() => screen.queryByText('2 selected'))
})

test('a refused bulk deletion keeps the selection', async () => {
  const page = await open({ 'POST /api/channel/batch': () => new Refusal('db.error', 'The database is away') })
  await page.select('One')
  await page.user.click(await screen.findByRole('button', { name: 'Delete' }))
  await confirm('Delete 1 channel?', 'Delete', page.user)
  expect(await screen.findByText('The database is away')).toBeTruthy()
  expect(screen.getByText('1 selected')).toBeTruthy()
})

test('a tag is set or removed for the selected channels; a refused one stays typed', async () => {
  let isRefused = true
  const page = await open({
    'POST /api/channel/batch/tag': () => (isRefused ? new Refusal('db.error', 'The database is away') : 1),
  })
  await page.select('One')
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Tag' })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Set tag' }).disabled).toBe(true)
  await page.user.type(field, ' crew {Enter}')
  expect(await screen.findByText('The database is away')).toBeTruthy()
  expect(field.value).toBe(' crew ')
  isRefused = false
  await page.user.type(field, '{Enter}')
  await waitFor(() => expect(field.value).toBe(''))
  await page.user.click(screen.getByRole('button', { name: 'Remove tag' }))
  await waitFor(() =>
    expect(page.callsOf('POST').map(({ body }) => body)).toEqual([
      { ids: [1], tag: 'crew' },
      { ids: [1], tag: 'crew' },
      { ids: [1], tag: null },
    ]),
  )
})

test('selected channels are tested one after the other; failures stay with their reason', async () => {
  const page = await open({
    'GET /api/channel/test/1': () =>
      Response.json({ success: true, message: '', request_id: 'req-1', data: null, time: 1 }),
    'GET /api/channel/test/2': () => new Refusal('channel.test_failed', 'Two is asleep'),
  })
  await page.select('One')
  await page.select('Two')
  const bar = (await screen.findByText('2 selected')).parentElement
  await page.user.click(within(bar ?? document.body).getByRole('button', { name: 'Test' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Test channels' }))
  expect(await dialog.findByText('1 succeeded, 1 failed, 0 not attempted.')).toBeTruthy()
  expect(dialog.getByText('Two is asleep')).toBeTruthy()
})

test('deleting all disabled channels asks for confirmation', async () => {
  const page = await open({ 'DELETE /api/channel/disabled': () => 3 })
  await page.choose('More', 'Delete disabled channels')
  await confirm('Delete all disabled channels?', 'Delete', page.user)
  expect(await screen.findByText('3 channels deleted')).toBeTruthy()
})

test('a failed balance query names the channel', async () => {
  const page = await open({
    'GET /api/channel/update_balance/1': () => new Refusal('channel.balance_failed', 'the vendor is silent'),
  })
  await page.choose('More actions for One', 'Update balance')
  expect(await screen.findByText(/The balance of One could not be updated: the vendor is silent/)).toBeTruthy()
})

test('a balance is shown in the currency of its vendor, and without a sign where that is not known', async () => {
  const names = ['One', 'Two', 'Three']
  const shown = ['CNY', 'USD', ''].map((balance_currency, index) =>
    aChannel({
      id: index + 1,
      name: names[index],
      balance: 7.5,
      balance_currency,
      balance_updated_time: 1_700_000_000,
    }),
  )
  const page = await open(
    { 'GET /api/channel': () => ({ items: shown, page: 1, page_size: 10, total: 3 }) },
    { looksAt: ['balance'] },
  )
  expect(page.row('One').getByText('CN¥7.50')).toBeTruthy()
  expect(page.row('Two').getByText('$7.50')).toBeTruthy()
  expect(page.row('Three').getByText('7.50')).toBeTruthy()
})

test('a channel whose upstream reports impossible usage is marked', async () => {
  const lying = aChannel({ id: 1, name: 'One', other_info: '{"capped_count":3,"capped_at":1700000000}' })
  const page = await open(
    { 'GET /api/channel': () => ({ items: [lying], page: 1, page_size: 10, total: 1 }) },
    { looksAt: ['status', 'failure'] },
  )
  expect(page.row('One').getByText('Usage capped')).toBeTruthy()
})

const failure = { at: 1_700_000_000, status: 401, fault: 'refused', message: 'no such key', model: 'kite-1' }
const atWork: Responses = {
  'GET /api/channel/live': () => ({
    workers: 2,
    channels: [
      liveOf(1, { in_flight: 3, limit: 10, waiting: 2 }),
      liveOf(2, { state: 'open', seconds_left: 12, last_failure: failure }),
    ],
  }),
  'GET /api/channel/traffic': () => ({
    times: Array.from({ length: 24 }, (_, hour) => 1_700_000_000 + hour * 3600),
    channels: [
      trafficOf(1),
      trafficOf(2, { count: 0, errors: 0, quota: 0, p50_ms: null, hours: hoursBefore({ count: 0, errors: 0 }) }),
    ],
    nodes: 3,
  }),
}

test('a row shows live data: traffic, latency, calls, breaker and last error', async () => {
  const { row, calls } = await open(atWork, { looksAt: channelColumns })
  const one = row('One')
  expect(
    await one.findByRole('img', { name: 'Last 24 hours: 99% succeeded · 99 calls, 1 failed attempt' }),
  ).toBeTruthy()
  expect(one.getByText('420 ms')).toBeTruthy()
  expect(one.getByText('3 / 10 in flight +2')).toBeTruthy()
  expect(one.getByText('$1.00')).toBeTruthy()
  const two = row('Two')
  expect(two.getByText('Breaker open · 12 s')).toBeTruthy()
  expect(two.getByText('401 · no such key')).toBeTruthy()
  expect(two.getByRole('img', { name: 'Last 24 hours: no calls' })).toBeTruthy()
  expect(screen.getByText(/one of 3 nodes/)).toBeTruthy()
  const requests = (path: string) => calls.filter((call) => call.path === path).map(({ query }) => query['ids'])
  expect([requests('/api/channel/live'), requests('/api/channel/traffic')]).toEqual([['1,2'], ['1,2']])
})

test('the spending of 24 hours is shown once it is known', async () => {
  const { row } = await open(
    { ...atWork, 'GET /api/channel/traffic': () => new Promise(() => {}) },
    { looksAt: ['inFlight', 'spend'] },
  )
  expect(await row('One').findByText('3 / 10 in flight +2')).toBeTruthy()
  const heads = [...(screen.getByRole('table').querySelector('thead tr')?.children ?? [])]
  const spent = heads.findIndex(({ textContent }) => textContent?.startsWith('Spent, 24 h'))
  const cell = row('One').getAllByRole('cell')[spent]
  expect(cell?.textContent).toBe('')
})

test('a column name sorts the whole list on the server, ascending, descending, then unsorted', async () => {
  const { user, calls } = await open(atWork, { looksAt: ['spend', 'priority'] })
  const sorts = () => reads(calls).map(({ query }) => [query['sort'], query['descending']])
  await user.click(screen.getByRole('button', { name: 'Spent, 24 h' }))
  await waitFor(() => expect(sorts().at(-1)).toEqual(['spend', 'true']))
  await user.click(screen.getByRole('button', { name: 'Spent, 24 h' }))
  await waitFor(() => expect(sorts().at(-1)?.[0]).toBe('spend'))
  expect(screen.queryByRole('button', { name: /to change its priority/ })).toBeNull()
})

test('a row is moved to another priority by the keyboard, which can be undone', async () => {
  const channels = [aChannel({ id: 1, name: 'One', priority: 20 }), aChannel({ id: 2, name: 'Two', priority: 10 })]
  const page = await open(
    {
      'GET /api/channel': () => ({ items: channels, page: 1, page_size: 10, total: 2 }),
      'PUT /api/channel': () => channels[0],
    },
    { looksAt: ['priority'] },
  )
  page.row('Two').getByRole('button', { name: 'Move Two to change its priority' }).focus()
  await page.user.keyboard(' {ArrowUp}')
  expect(await screen.findAllByText('Two: priority 30')).not.toHaveLength(0)
  await page.user.keyboard(' ')
  await waitFor(() => expect(page.callsOf('PUT')).toEqual([{ path: '/api/channel', body: { id: 2, priority: 30 } }]))
  await page.user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(page.callsOf('PUT').at(-1)?.body).toEqual({ id: 2, priority: 10 }))
  expect(await screen.findByText('Undone')).toBeTruthy()
})

test('Escape cancels moving a row', async () => {
  const page = await open({}, { looksAt: ['priority'] })
  page
    .row('Two')
    .getByRole('button', { name: /^Move Two/ })
    .focus()
  await page.user.keyboard(' {ArrowUp}{Escape} ')
  await page.user.keyboard('{Escape}')
  expect(page.callsOf('PUT')).toEqual([])
})

test('a channel opens by its name: what is known of it, and past events', async () => {
  const page = await open(
    {
      ...atWork,
      'GET /api/channel/2/history': () => [
        {
          at: 1_700_000_000,
          kind: 'disabled',
          is_by_hand: false,
          username: '',
          text: 'Channel disabled automatically: 401',
        },
        { at: 1_690_000_000, kind: 'enabled', is_by_hand: true, username: 'root', text: '' },
      ],
    },
    { looksAt: ['priority'] },
  )
  await page.user.click(screen.getByText('Two'))
  const panel = within(await screen.findByRole('complementary', { name: 'Details' }))
  expect(await panel.findByText('Channel disabled automatically: 401')).toBeTruthy()
  expect(panel.getByText('by root')).toBeTruthy()
  expect(panel.getByText('Disabled automatically: The key was refused')).toBeTruthy()
  // A control in a row does what it says, and nothing else.
  await page.user.click(page.row('One').getByRole('textbox', { name: 'Priority: One' }))
  expect(panel.getByText('by root')).toBeTruthy()
})

test('the card of a channel on a phone is read, and has no field', async () => {
  using _phone = aPhone()
  await open(
    {
      'GET /api/channel': () => ({ items: [aChannel({ name: 'One', priority: 7 })], page: 1, page_size: 10, total: 1 }),
    },
    { looksAt: channelColumns },
  )
  const card = within(await screen.findByRole('listitem'))
  expect(card.getByText('Priority').nextElementSibling?.textContent).toBe('7')
  expect(card.queryByRole('textbox')).toBeNull()
  expect(card.getByRole('button', { name: 'Edit' })).toBeTruthy()
})

test('readers without write access are offered no changes, and see the settings', async () => {
  const page = await open(
    { 'GET /api/channel/1': () => two[0] },
    { grants: ['channels.read'], looksAt: channelColumns },
  )
  const listButtonLabels = () =>
    screen.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)
  for (const name of ['Add channel', 'Test', 'Enable', 'Disable', 'Edit', 'More actions for One']) {
    expect(listButtonLabels()).not.toContain(name)
  }
  expect(page.row('One').queryByRole('textbox')).toBeNull()
  await page.user.click(screen.getByRole('button', { name: 'More' }))
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Export all matches'])
  await page.user.keyboard('{Escape}')
  await page.user.click(page.row('One').getByRole('button', { name: 'View' }))
  expect((await screen.findByDisplayValue('One')).closest('fieldset')?.disabled).toBe(true)
  expect(screen.getByRole('dialog', { name: 'Channel' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

test('readers without the grant for keys can neither add channels nor type keys', async () => {
  const page = await open({ 'GET /api/channel/1': () => two[0] }, { grants: ['channels.read', 'channels.write'] })
  expect(screen.queryByRole('button', { name: 'Add channel' })).toBeNull()
  await page.user.click(page.row('One').getByRole('button', { name: 'Edit' }))
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Key/ })).disabled).toBe(true)
  expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy()
})
