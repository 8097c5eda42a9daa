import { expect, spyOn, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { logRoutes } from '@tollgate/contract'

import { aLog } from '../../../test/log-factory'
import { aStat, callsAt, openLogsPage as openPage, pageOf, threeLogs as three } from '../../../test/open-logs-page'
import { Refusal, type RecordedCall } from '../../../test/server'
import { untilGone } from '../../../test/until-gone'

const admin = { role: 100 }

const requests = (calls: readonly RecordedCall[], of: string) => calls.filter((call) => call.path === of)
const midnight = () => new Date().setHours(0, 0, 0, 0) / 1000

test('the filters come from the address', async () => {
  const { calls } = await openPage(
    {},
    { search: '?type=6&model=gpt&username=mei&channel=4&from=100&to=200', user: admin },
  )
  await screen.findByText('model-3')
  const filter = {
    type: '6',
    model_name: 'gpt',
    username: 'mei',
    channel: '4',
    start_timestamp: '100',
    end_timestamp: '200',
  }
  expect(requests(calls, '/api/log')[0]?.query).toEqual({ ...filter, p: '1', page_size: '20', joined: 'true' })
  expect(requests(calls, '/api/log/stat')[0]?.query).toEqual({ ...filter, quick: 'true' })
})

test('the default range is today until an hour from now, and users see their own calls', async () => {
  const openedAt = Date.now() / 1000
  const { calls } = await openPage({}, { search: '?username=mei', looksAt: ['channel'] })
  await screen.findByText('model-3')
  const query = requests(calls, '/api/log/self')[0]?.query
  expect(query?.['username']).toBeUndefined()
  expect(Number(query?.['start_timestamp'])).toBe(midnight())
  expect(Number(query?.['end_timestamp'])).toBeGreaterThanOrEqual(openedAt + 3_600 - 5)
  expect(screen.queryByRole('columnheader', { name: /Channel/ })).toBeNull()
})

test('bars that cannot be read say why, beside a list that can', async () => {
  await openPage({ 'GET /api/data/self': () => new Refusal('rate.limited', 'x', 429) }, { search: '?range=week' })
  await screen.findByText('model-3')
  expect(await screen.findByText('Too many requests, please try again later')).toBeTruthy()
})

test('a request id is searched at any time', async () => {
  const { calls } = await openPage({}, { search: '?request=req-1' })
  await screen.findByText('model-3')
  expect(requests(calls, '/api/log/self')[0]?.query).toEqual({
    request_id: 'req-1',
    p: '1',
    page_size: '20',
    joined: 'true',
  })
})

test('filters apply together, are chips, and are cleared at once', async () => {
  const { user, address, calls } = await openPage({}, { search: '?page=3' })
  await user.click(await screen.findByRole('button', { name: 'Filters' }))
  await user.type(await screen.findByRole('combobox', { name: 'Token' }), 'shop')
  await user.type(screen.getByRole('textbox', { name: 'Duration at least' }), '3')
  expect(screen.queryByRole('combobox', { name: 'Username' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(address()).toEqual({ token: 'shop', slow: 3 }))
  await waitFor(() =>
    expect(requests(calls, '/api/log/self').at(-1)?.query).toMatchObject({
      token_name: 'shop',
      min_use_time: '3',
      p: '1',
    }),
  )
  expect(await screen.findByRole('button', { name: 'Filters (2)' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Remove filter: Duration at least' }))
  await waitFor(() => expect(address()).toEqual({ token: 'shop' }))
  await user.click(screen.getByRole('button', { name: 'Time range: Today' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Last 7 days' }))
  await waitFor(() => expect(address()).toEqual({ token: 'shop', range: 'week' }))
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(address()).toEqual({}))
})

test('a part of a model name matches it, a known name is used as it is', async () => {
  const { user, address } = await openPage({ 'GET /api/user/models': () => ['gpt-4o', 'gpt-4o-mini'] })
  const field = await screen.findByRole('combobox', { name: 'Model' })
  await user.type(field, '4o-mini{Enter}')
  await waitFor(() => expect(address()).toEqual({ model: '%4o-mini%' }))
  expect(field).toHaveProperty('value', '4o-mini')
  await user.click(field)
  await user.keyboard('gpt-4o{Enter}')
  await waitFor(() => expect(address()).toEqual({ model: 'gpt-4o' }))
})

test('a bar of the histogram filters by its time', async () => {
  const { user, address } = await openPage(
    { 'GET /api/data/self': () => callsAt([7_200, 10_800, 14_400]) },
    { search: '?from=7200&to=17999' },
  )
  const chart = await screen.findByRole('figure', { name: 'Calls and failed attempts per hour' })
  within(chart).getByRole('group').focus()
  await user.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  await waitFor(() => expect(address()).toEqual({ from: 10_800, to: 14_399 }))
})

test('an administrator filters by a channel name', async () => {
  const channel = { id: 4, name: 'OpenAI Dublin' }
  const { user, address, calls } = await openPage(
    {
      'GET /api/channel/search': () => pageOf([channel] as never),
      'GET /api/channel/4': () => channel,
      'GET /api/user/search': () => pageOf([]),
      'GET /api/group': () => ['default'],
      'GET /api/token': () => pageOf([]),
    },
    { user: admin },
  )
  await user.click(await screen.findByRole('button', { name: 'Filters' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(await within(dialog).findByRole('combobox', { name: 'Channel' }), 'dub')
  await waitFor(() => expect(requests(calls, '/api/channel/search').at(-1)?.query).toMatchObject({ keyword: 'dub' }))
  await user.click(await within(dialog).findByRole('option', { name: /OpenAI Dublin\s*#4/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(address()).toEqual({ channel: 4 }))
  expect(await screen.findByText('OpenAI Dublin')).toBeTruthy()
})

test('the sums are shown above, and incomplete ones can be completed', async () => {
  const { user, calls } = await openPage({
    'GET /api/log/self/stat': ({ query }) => (query['quick'] ? { ...aStat, searched_until: 1_795_000_000 } : aStat),
  })
  expect(await screen.findByText('$2.00')).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Sum everything' }))
  await waitFor(() => expect(requests(calls, '/api/log/self/stat').at(-1)?.query['quick']).toBeUndefined())
  await untilGone(() => screen.queryByRole('button', { name: 'Sum everything' }))
})

test('a row opens beside the list; J and K move on from there, Escape closes', async () => {
  const { user, address } = await openPage()
  await user.click(await screen.findByText('model-3'))
  const panel = await screen.findByRole('complementary')
  expect(within(panel).getByRole('heading', { name: 'model-3' })).toBeTruthy()
  await user.keyboard('j')
  await waitFor(() => expect(address()).toEqual({ open: 2 }))
  expect(document.activeElement?.getAttribute('data-row')).toBe('2')
  await user.keyboard('jjk')
  expect(await within(panel).findByRole('heading', { name: 'model-2' })).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(address()).toEqual({}))
})

test('the panel’s buttons move to the rows above and below', async () => {
  const { user, address } = await openPage({}, { search: '?open=2' })
  const panel = await screen.findByRole('complementary')
  await user.click(await within(panel).findByRole('button', { name: 'Next row' }))
  await waitFor(() => expect(address()).toEqual({ open: 1 }))
  await waitFor(() =>
    expect(within(panel).getByRole('button', { name: 'Next row' }).hasAttribute('disabled')).toBe(true),
  )
  await user.click(within(panel).getByRole('button', { name: 'Previous row' }))
  await waitFor(() => expect(address()).toEqual({ open: 2 }))
})

test('a call with two attempts is one row that expands to both', async () => {
  const failed = aLog({
    id: 8,
    type: 6,
    content: 'The upstream refused',
    details: { status_code: 503, use_time_ms: 400 },
  })
  const served = aLog({ id: 9, model_name: 'model-9', details: { use_time_ms: 1_640 } })
  const { user } = await openPage(
    { 'GET /api/log/self': () => pageOf([{ ...served, attempts: [failed] }]) },
    { looksAt: 'all' },
  )
  const expand = await screen.findByRole('button', { name: '2 attempts' })
  expect(screen.queryByText('The upstream refused')).toBeNull()
  await user.click(expand)
  const attempts = await within(screen.getByRole('table')).findAllByRole('listitem')
  expect(attempts.map(({ textContent }) => textContent)).toEqual([
    'Attempt 1503 · 400 msThe upstream refused',
    'Attempt 2200 · 1.24 s',
  ])
  expect(screen.queryByRole('complementary')).toBeNull()
  await user.click(expand)
  expect(screen.queryByText('The upstream refused')).toBeNull()
})

test('a failed row shows its status and reason; charged rows have no badge, and no duration where there is none', async () => {
  const failed = aLog({ id: 8, type: 6, content: 'The upstream refused', details: { status_code: 503 } })
  // A vendor made it in a batch.
  const untimed = aLog({ id: 7, model_name: 'model-7', details: { use_time_ms: null } })
  await openPage(
    { 'GET /api/log/self': () => pageOf([failed, aLog({ details: { use_time_ms: 1_240 } }), untimed]) },
    { looksAt: 'all' },
  )
  const row = (await screen.findByText('The upstream refused')).closest('tr')
  expect(screen.getByText('model-7').closest('tr')?.textContent).not.toMatch(/\d (?:s|ms)\b/)
  expect(row?.hasAttribute('data-is-bad')).toBe(true)
  expect(row?.textContent).toContain('503')
  expect(screen.getByText('1.24 s').closest('tr')?.textContent).toContain('200')
  expect(document.querySelector('tbody .mantine-Badge-root')).toBeNull()
})

test('a call that was sold below what the vendor charges is marked, and one whose cost is not known is not', async () => {
  const aSale = (id: number, admin_info?: object) =>
    aLog({ id, model_name: `model-${id}`, quota: 500_000, details: { admin_info } })
  const rows = [
    aSale(1, { cost: 750_000, cost_kind: 'own' }),
    aSale(2, { cost: 500_000, cost_kind: 'own' }),
    aSale(3, { cost: 0 }),
    aSale(4),
  ]
  await openPage({ 'GET /api/log/self': () => pageOf(rows) }, { looksAt: 'all' })
  const marked = await screen.findAllByText(/^Sold below cost: the vendor charges \$1\.50/)
  expect(marked.map((mark) => mark.closest('tr')?.textContent.includes('model-1'))).toEqual([true])
})

test('the conversation of a call loads with its panel; until then it cannot be exported', async () => {
  const texts = { output_content: 'All is well.' }
  const whole = Promise.withResolvers<logRoutes.LogEntity>()
  const { user, calls } = await openPage({ 'GET /api/log/self/3': () => whole.promise })
  await user.click(await screen.findByText('model-3'))
  const playground = await screen.findByRole('button', { name: 'Open in the playground' })
  expect(playground.hasAttribute('disabled')).toBe(true)
  whole.resolve(aLog({ id: 3, model_name: 'model-3', details: texts }))
  expect(await screen.findByText('All is well.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Open in the playground' }).hasAttribute('disabled')).toBe(false)
  expect(requests(calls, '/api/log/self/3')).toHaveLength(1)
})

test('a link opens a row that is on no page', async () => {
  await openPage(
    { 'GET /api/log/self/77': () => aLog({ id: 77, model_name: 'rare-1', request_id: 'req-77' }) },
    { search: '?open=77' },
  )
  const panel = await screen.findByRole('complementary')
  expect(await within(panel).findByText('req-77')).toBeTruthy()
})

test('a link to a missing row says so', async () => {
  await openPage(
    { 'GET /api/log/self/77': () => new Refusal('log.none', 'There is no such row') },
    { search: '?open=77' },
  )
  expect(await screen.findByText('There is no such row')).toBeTruthy()
})

test('live rows pause while a row is being read', async () => {
  let rows = three
  const { user } = await openPage({ 'GET /api/log/self': () => pageOf(rows) })
  await user.click(await screen.findByRole('button', { name: 'Live' }))
  await user.click(await screen.findByText('model-1'))
  await screen.findByRole('complementary')
  rows = [aLog({ id: 4, model_name: 'model-4' }), ...three]
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  const pill = await screen.findByRole('button', { name: '1 new row' })
  expect(screen.queryByText('model-4')).toBeNull()
  await user.click(pill)
  expect(await screen.findByText('model-4')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '1 new row' })).toBeNull()
  expect(screen.getByRole('complementary')).toBeTruthy()
})

test('paused rows stay, but not those of another query', async () => {
  let rows = three
  const { user } = await openPage({ 'GET /api/log/self': () => pageOf(rows) })
  await user.click(await screen.findByRole('button', { name: 'Live' }))
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  await screen.findByText('model-3')
  rows = [aLog({ id: 5, model_name: 'model-5' }), aLog({ id: 4, model_name: 'model-4' }), ...three]
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByRole('button', { name: '2 new rows' })
  expect(screen.queryByText('model-5')).toBeNull()
  await user.type(screen.getByRole('combobox', { name: 'Model' }), 'shop{Enter}')
  expect(await screen.findByText('model-5')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '2 new rows' })).toBeNull()
})

test('an administrator sees the caller', async () => {
  const caller = {
    id: 5,
    username: 'mei',
    display_name: 'Mei Chen',
    role: 1,
    group: 'vip',
    quota: 500_000,
    used_quota: 250_000,
  }
  const { user } = await openPage(
    { 'GET /api/user/5': () => ({ ...caller, request_count: 12 }) },
    { user: admin, looksAt: ['username'] },
  )
  await user.click((await screen.findAllByRole('button', { name: 'mei' }))[0] ?? document.body)
  const card = await screen.findByRole('dialog', { name: 'User' })
  for (const text of ['5', 'mei', 'Mei Chen', 'vip', '$1.00', '$0.50', '12'])
    expect(await within(card).findByText(text)).toBeTruthy()
  expect(screen.queryByRole('complementary')).toBeNull()
})

test('rows of other days are grouped by day and show only the time', async () => {
  const today = aLog({ id: 3, created_at: midnight() + 61 })
  const yesterday = aLog({ id: 2, created_at: midnight() - 60 })
  await openPage({ 'GET /api/log/self': () => pageOf([today, yesterday, { ...yesterday, id: 1 }]) })
  const table = await screen.findByRole('table')
  const sections = within(table)
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)
  expect(sections.slice(0, 2)).toEqual(['Today', 'Yesterday'])
  expect(within(table).getByText('00:01:01')).toBeTruthy()
  expect(within(table).getAllByText('23:59:00')).toHaveLength(2)
})

test('today has no heading', async () => {
  await openPage({ 'GET /api/log/self': () => pageOf([aLog({ created_at: midnight() + 61 })]) })
  expect(await screen.findByText('00:01:01')).toBeTruthy()
  expect(screen.queryByText('Today', { selector: 'th' })).toBeNull()
})

test('times can be relative, and the browser remembers it', async () => {
  const { user } = await openPage({
    'GET /api/log/self': () => pageOf([aLog({ created_at: Date.now() / 1000 - 7_300 })]),
  })
  await user.click(await screen.findByRole('button', { name: 'Show relative times' }))
  expect(await screen.findByText('2 hours ago')).toBeTruthy()
  expect(localStorage.getItem('logs-time')).toBe('ago')
})

test('a user without a token is led to the first one', async () => {
  const emptyPage = { items: [], page: 0, page_size: 10, total: 0 }
  const { user, address } = await openPage({ 'GET /api/log/self': () => emptyPage, 'GET /api/token': () => emptyPage })
  const link = await screen.findByRole('link', { name: 'Create your first token' })
  expect(link.getAttribute('href')).toBe('/app/tokens?edit=new')
  await user.click(screen.getByRole('button', { name: 'Last 30 days' }))
  await waitFor(() => expect(address()).toEqual({ range: 'month' }))
})

test('a list that ends early continues from where it ended', async () => {
  const { user, address } = await openPage(
    {
      'GET /api/log/self': () => ({ ...pageOf(three), total_is_lower_bound: true, searched_until: 5_000 }),
    },
    { search: '?from=100' },
  )
  await user.click(await screen.findByRole('button', { name: 'Search further back' }))
  await waitFor(() => expect(address()).toEqual({ from: 100, to: 4_999 }))
})

test('the export contains what the filters match', async () => {
  const createObjectUrl = spyOn(URL, 'createObjectURL').mockReturnValue('blob:file')
  const clicked = spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const headers = { 'Content-Disposition': 'attachment; filename="logs-today.csv"', 'Content-Type': 'text/csv' }
  const { user, calls } = await openPage(
    { 'GET /api/log/export': () => new Response('id,model\n1,x\n', { headers }) },
    { search: '?model=x&from=1&to=2', user: admin },
  )
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  await waitFor(() => expect(clicked).toHaveBeenCalledTimes(1))
  const [content] = createObjectUrl.mock.calls[0] ?? []
  expect(content instanceof Blob && (await content.text())).toBe('id,model\n1,x\n')
  expect(requests(calls, '/api/log/export')[0]?.query).toEqual({
    model_name: 'x',
    start_timestamp: '1',
    end_timestamp: '2',
  })
  createObjectUrl.mockRestore()
  clicked.mockRestore()
})

test('an aborted export is not saved', async () => {
  const createObjectUrl = spyOn(URL, 'createObjectURL').mockReturnValue('blob:file')
  const cancelled = Promise.withResolvers<void>()
  const endless = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(1_500_000)),
    cancel: () => cancelled.resolve(),
  })
  const { user } = await openPage({
    'GET /api/log/self/export': () => new Response(endless, { headers: { 'Content-Type': 'text/csv' } }),
  })
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  await user.click(await screen.findByRole('button', { name: 'Stop (1.5 MB)' }))
  await cancelled.promise
  expect(await screen.findByRole('button', { name: 'Export' })).toBeTruthy()
  expect(createObjectUrl).not.toHaveBeenCalled()
  createObjectUrl.mockRestore()
})

test('a refused export says why', async () => {
  const { user } = await openPage({
    'GET /api/log/self/export': () => new Refusal('param.invalid', 'Too many wildcards'),
  })
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  expect(await screen.findByText('Too many wildcards')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Export' })).toBeTruthy()
})
