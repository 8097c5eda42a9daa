import { expect, spyOn, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { dashboardRoutes, statusRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { Refusal, serve, type RecordedCall } from '../../../test/server'
import { DashboardPage } from './dashboard-page'
import { DashboardSearch } from './dashboard-search'

const path = '/app/dashboard'
const admin = { role: 100, username: 'root' }
const sums = { count: 30, errors: 10, quota: 1_000_000, prompt_tokens: 4000, completion_tokens: 1000, use_time: 60 }
const measures = {
  calls: 30,
  prompt_tokens: 4000,
  cached_tokens: 1000,
  cache_saved: 250_000,
  tokens_per_second: 61.5,
  first_token_ms: { p50: 480, p95: 1900 },
  whole_ms: { p50: 2500, p95: 9000 },
}
const zeroMeasures = { ...measures, calls: 0, tokens_per_second: null, first_token_ms: null, whole_ms: null }
const noValues = [null, null]
const overview = {
  totals: measures,
  previous: zeroMeasures,
  by_time: {
    first_token_p50: [480, null],
    first_token_p95: [1900, null],
    whole_p50: noValues,
    whole_p95: noValues,
    tokens_per_second: noValues,
    prompt_tokens: [4000, 0],
    cached_tokens: [1000, 0],
    cache_saved: [250_000, 0],
  },
  errors: [
    { code: 'upstream.busy', count: 7 },
    { code: 'code.of.tomorrow', count: 3 },
  ],
}
const aSeries = (name: string, fields: Partial<dashboardRoutes.DashboardSeries> = {}) => ({
  id: null,
  name,
  is_other: false,
  count: 30,
  errors: 10,
  quota: 1_000_000,
  tokens: 5000,
  by_time: { count: [30, 0], quota: [1_000_000, 0], tokens: [5000, 0] },
  measures,
  ...fields,
})
const data = {
  totals: sums,
  previous: { ...sums, quota: 800_000 },
  times: [1_800_000_000, 1_800_003_600],
  totals_by_time: { count: [30, 0], errors: [10, 0], quota: [1_000_000, 0], tokens: [5000, 0] },
  series: [aSeries('gpt-4o')],
  measures: overview,
}
const byUser = { ...data, series: [aSeries('mei', { id: 7 })] }

const noHealth = { times: [], channels: [], total: 0, failing: 0, healthy: 0, quiet: 0 }

const rates = { quota: 0, rpm: 3, tpm: 1200, token_total: 0, token_input: 0, token_output: 0 }

const renderPage = (
  search = '',
  user: { role?: number; username?: string } = admin,
  site: Partial<statusRoutes.SiteStatus> = {},
) =>
  renderConsole(<DashboardPage />, {
    user,
    site,
    address: path + search,
    path,
    validateSearch: (rawSearch) => DashboardSearch.parse(rawSearch),
  })

async function openPage(
  search = '',
  user: { role?: number; username?: string } = admin,
  response: object = data,
  health: dashboardRoutes.ChannelHealthData = noHealth,
) {
  const responseOf = ({ query }: RecordedCall) => (query['group_by'] === 'user' && query['limit'] ? byUser : response)
  const calls = serve({
    'GET /api/data': responseOf,
    'GET /api/data/self': responseOf,
    'GET /api/data/channels': () => health,
    'GET /api/log/stat': () => rates,
    'GET /api/log/self/stat': () => ({ quota: 0, rpm: 0, tpm: 0, token_total: 0, token_input: 0, token_output: 0 }),
  })
  const view = await renderPage(search, user)
  await screen.findByText('By model')
  return { ...view, calls }
}
const searchOf = (link: HTMLElement) =>
  Object.fromEntries(new URL(link.getAttribute('href') ?? '', 'http://x').searchParams)

test('sums that cannot be read say why, and are read again', async () => {
  serve({ 'GET /api/data': () => new Refusal('rate.limited', 'x', 429) })
  const { user } = await renderPage()
  await screen.findByText('Too many requests, please try again later')
  serve({ 'GET /api/data': () => data })
  await user.click(screen.getByText('Try again'))
  await screen.findByText('By model')
})

test('each figure links to the rows it counts and names its comparison', async () => {
  const { calls } = await openPage('?days=7')
  const requests = calls.find(({ query }) => query['measures'] === 'true')?.query
  const spend = screen.getByRole('link', { name: /^Spend/ })
  expect(spend.textContent).toContain('$2.00')
  expect(spend.textContent).toContain('▲ 25% vs previous 7 days')
  expect(searchOf(spend)).toEqual({ from: String(requests?.['start_timestamp']) })
  expect(searchOf(screen.getByRole('link', { name: /^Failed attempts/ }))).toMatchObject({ type: '6' })
})

test('figures of the table yield to narrow screens together with their headings', async () => {
  await openPage()
  const section = screen.getByText('By model').parentElement ?? document.body
  const [heads, ...rows] = within(section)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.getAttribute('data-from')))
  expect(heads).toContain('wide')
  for (const row of rows) expect(row).toEqual(heads ?? [])
})

test('administrators read the margin of all calls and of each series, and how much of the spending it covers', async () => {
  const margin = {
    totals: { sold: 600_000, cost: 450_000, saved: 20_000 },
    previous: { sold: 0, cost: 0, saved: 0 },
    by_time: { sold: [], cost: [] },
  }
  await openPage('?days=7', admin, {
    ...data,
    margin,
    series: [
      aSeries('gpt-4o', { margin: margin.totals }),
      aSeries('unknown', { margin: { sold: 0, cost: 0, saved: 0 } }),
    ],
  })
  const spend = screen.getByRole('link', { name: /^Spend/ })
  await waitFor(() => expect(spend.textContent).toContain('Margin $0.30 (25%) on $1.20 with a known cost'))
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(rows.filter((text) => text.includes('$0.30'))).toEqual([expect.stringContaining('gpt-4o')])
})

test('a user’s own dashboard has no margin', async () => {
  await openPage('', { role: 1, username: 'mei' })
  expect(screen.queryByText('Margin')).toBeNull()
})

test('the chart does not wait for measures, which are requested after it', async () => {
  const sent = Promise.withResolvers<object>()
  const measured = Promise.withResolvers<object>()
  const calls = serve({
    'GET /api/data': ({ query }) => (query['measures'] ? measured.promise : sent.promise),
    'GET /api/data/channels': () => noHealth,
    'GET /api/log/stat': () => rates,
  })
  const requests = () => calls.filter(({ path: called }) => called.startsWith('/api/data'))
  await renderPage()
  await waitFor(() => expect(requests()).toHaveLength(1))
  sent.resolve({ ...data, measures: undefined, series: [aSeries('gpt-4o', { measures: undefined })] })
  expect(await screen.findByRole('figure', { name: 'Spend over time' })).toBeTruthy()
  expect(screen.queryByText('Latency')).toBeNull()
  await waitFor(() => expect(requests().length).toBeGreaterThan(3))
  measured.resolve(data)
  expect(await screen.findByText('Latency')).toBeTruthy()
})

test.each([
  [30, 1_800_000],
  // The longest timeout of a browser.
  [44_640, 2_147_483_647],
])('the charts refresh every %i minutes as the operator configured', async (minutes, delayMs) => {
  const timers = spyOn(globalThis, 'setInterval')
  try {
    serve({ 'GET /api/data': () => data, 'GET /api/data/channels': () => noHealth, 'GET /api/log/stat': () => rates })
    const view = await renderPage('', admin, { data_export_interval: minutes })
    await screen.findByText('By model')
    const delays = timers.mock.calls.map(([, delay]) => delay)
    expect(delays).toContain(delayMs)
    expect(delays).not.toContain(300_000)
    view.unmount()
  } finally {
    timers.mockRestore()
  }
})

test('cache savings, latency and failure reasons are shown', async () => {
  await openPage()
  expect(await screen.findByText('480 ms', { selector: 'span' })).toBeTruthy()
  expect(screen.getByText('1.9 s')).toBeTruthy()
  expect(screen.getAllByText('25%').length).toBeGreaterThan(0)
  expect(screen.getByText('$0.50')).toBeTruthy()
  const limited = screen.getByRole('link', { name: 'Rate limited by the upstream' })
  expect(searchOf(limited)).toMatchObject({ type: '6', error: 'upstream.busy' })
  expect(screen.getByRole('link', { name: 'code.of.tomorrow' })).toBeTruthy()
})

test('the latency of whole responses is one click away', async () => {
  const { user } = await openPage()
  await user.click(await screen.findByRole('radio', { name: 'Full response' }))
  expect(screen.getByText('2.5 s')).toBeTruthy()
  expect(screen.getByText('9 s')).toBeTruthy()
})

test('an administrator sees the top users, and no balance among the figures of all', async () => {
  await openPage()
  expect(searchOf(await screen.findByRole('link', { name: 'mei' }))).toMatchObject({ username: 'mei' })
  expect(screen.queryByText('Balance')).toBeNull()
  expect(screen.getByText('3 calls and 1.2k tokens in the last minute')).toBeTruthy()
})

test('a user sees their own balance, and neither users nor channels', async () => {
  const { calls } = await openPage('?by=channel', { role: 1 })
  expect(screen.getByText('Balance')).toBeTruthy()
  expect(screen.queryByText('Top users by spend')).toBeNull()
  const paths = new Set(calls.map(({ path: called }) => called))
  expect(paths.has('/api/data') || paths.has('/api/data/channels')).toBe(false)
  expect(within(screen.getByRole('radiogroup', { name: 'Grouped by' })).queryByText('User')).toBeNull()
})

test('a custom range is requested in whole hours around its ends', async () => {
  const { calls } = await openPage('?from=1800000100&to=1800007300')
  const requests = calls.find(({ query }) => query['measures'] === 'true')?.query
  expect(requests).toMatchObject({ start_timestamp: '1800000000', end_timestamp: '1800010799' })
  expect(searchOf(screen.getByRole('link', { name: /^Spend/ }))).toEqual({ from: '1800000000', to: '1800010799' })
  expect(screen.getByRole('link', { name: /^Spend/ }).textContent).toContain('vs previous period')
})

test('calls from before the update are marked as unmeasured; without measures their panels are left out', async () => {
  const { unmount } = await openPage('', admin, { ...data, totals: { ...sums, count: 90 } })
  expect(await screen.findByText(/^30 of 90 calls were timed/)).toBeTruthy()
  unmount()
  await openPage('', admin, { ...data, measures: null, series: [aSeries('gpt-4o', { measures: null })] })
  await waitFor(() => expect(screen.queryAllByText('First token')).toHaveLength(0))
  expect(screen.queryByText('Latency')).toBeNull()
})

test('the health map describes an hour and links to its rows', async () => {
  const cells = [null, { count: 0, errors: 1 }]
  const channels = [{ id: 4, name: 'Dublin', status: 1, cells }]
  const times = [1_800_000_000, 1_800_003_600]
  const health = { ...noHealth, times, channels, total: 1 }
  const { user, router } = await openPage('?days=90', admin, data, health)
  ;(await screen.findByRole('group', { name: /Channel health by hour/ })).focus()
  await user.keyboard('{ArrowRight}')
  const words = screen.getByRole('status').textContent
  expect(words).toMatch(/^Dublin\n.*: 0% succeeded\n0 calls\n1 failed attempt$/)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/logs/api-usage'))
  expect(router.state.location.search).toMatchObject({ channel: 4, from: 1_800_003_600, to: 1_800_007_199 })
})

test('the worst channels are listed and the others counted, until the reader wants all of them', async () => {
  const cells = [{ count: 1, errors: 9 }, null]
  const worst = { id: 4, name: 'Dublin', status: 1, cells }
  const others = Array.from({ length: 60 }, (_, index) => ({ ...worst, id: 100 + index, name: `Rest ${index}` }))
  const counts = { ...noHealth, times: [1_800_000_000, 1_800_003_600], total: 61, failing: 3, healthy: 50, quiet: 4 }
  const calls = serve({
    'GET /api/data': ({ query }) => (query['group_by'] === 'user' ? byUser : data),
    'GET /api/data/channels': ({ query }) => ({
      ...counts,
      channels: query['limit'] === '300' ? [worst, ...others] : [worst],
    }),
    'GET /api/log/stat': () => rates,
  })
  const { user } = await renderPage('?days=1')
  const expand = await screen.findByRole('button', { name: '60 more channels: 50 above 99%, 6 below, 4 without calls' })
  expect(screen.queryByText('Rest 7')).toBeNull()
  await user.click(expand)
  expect(await screen.findByText('Rest 7')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /more channels/ })).toBeNull()
  const tile = await screen.findByRole('link', { name: /^Channels/ })
  expect(tile.textContent).toContain('3 failing')
  expect(searchOf(tile)).toEqual({ sort: 'failures', descending: 'true' })
  const requests = calls.filter(({ path: called }) => called === '/api/data/channels').map(({ query }) => query)
  expect(requests).toEqual([{ limit: '10' }, { limit: '300' }])
})

test('a site without channels is not told that none of them fails', async () => {
  await openPage()
  expect(await screen.findByText('None yet')).toBeTruthy()
  expect(screen.queryByText('None failing')).toBeNull()
})

test('failing channels are those of the last 24 hours, whatever the range of the charts', async () => {
  const { calls } = await openPage('?days=7', admin, data, { ...noHealth, total: 5 })
  await screen.findByText('None failing')
  const requests = calls.filter(({ path: called }) => called === '/api/data/channels').map(({ query }) => query)
  expect(requests).toContainEqual({ limit: '10' })
  expect(requests).toContainEqual({ limit: '10', start_timestamp: expect.any(String) })
})
