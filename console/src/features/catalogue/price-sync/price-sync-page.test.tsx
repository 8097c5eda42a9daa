import { expect, test } from 'bun:test'
import { screen, within } from '@testing-library/react'
import type { priceSyncRoutes, RouteResult } from '@tollgate/contract'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { PriceSyncPage } from './price-sync-page'
import { PriceSyncSearch } from './price-sync-search'

type Responses = Parameters<typeof serve>[0]

const aSource = (fields: Partial<priceSyncRoutes.PriceSource> = {}): priceSyncRoutes.PriceSource => ({
  name: 'litellm',
  kind: 'list',
  url: 'https://lists.example/prices.json',
  channel_id: 0,
  channel_name: '',
  use: 'sale',
  group: '',
  last_run_at: 1_700_000_000,
  last_success_at: 1_700_000_000,
  failure: '',
  status: null,
  models: 1200,
  ...fields,
})

const aProposal = (fields: Partial<priceSyncRoutes.PriceProposal> = {}): priceSyncRoutes.PriceProposal => ({
  id: 1,
  source: 'lists',
  source_name: '',
  channel_id: 0,
  model: 'kite-1',
  field: 'input',
  before: 2,
  after: 2.5,
  percent: 25,
  state: 'waiting',
  reason: 'rise',
  found_at: 1_700_000_000,
  decided_at: null,
  decided_by: '',
  ...fields,
})

const priority = { name: 'priority', match: { service_tier: 'priority' }, factor: 2 }
const waiting = [
  aProposal(),
  aProposal({ id: 2, field: 'tier:200000:output', before: 0.0028, after: 0.0014, percent: -50, reason: 'fall' }),
  aProposal({ id: 3, field: 'mode:priority', before: null, after: priority, percent: null, reason: 'new' }),
  aProposal({ id: 4, field: 'mode:batch:factor', before: 0.5, after: 0.6, percent: 20 }),
]

const state: RouteResult<typeof priceSyncRoutes.priceSync> = {
  schedule: 'daily',
  is_running: false,
  last_run_at: 1_700_000_000,
  next_run_at: 1_700_086_400,
  sources: [
    aSource(),
    aSource({ name: 'models.dev', failure: 'status', status: 503 }),
    aSource({ name: 'channel:7', kind: 'channel', channel_id: 7, channel_name: 'upstream', use: 'cost', group: 'vip' }),
  ],
  counts: { waiting: 4, applied: 1, rejected: 0, refused: 2 },
}

async function open(address = '/admin/prices_/sync', responses: Responses = {}, role = 100) {
  const calls = serve({
    'GET /api/prices/sync': () => state,
    'GET /api/prices/sync/proposals': () => ({ items: waiting, page: 1, page_size: 10, total: waiting.length }),
    'POST /api/prices/sync/decide': () => ({ decided: 1, outdated: 1 }),
    'POST /api/prices/sync/run': () => undefined,
    'PUT /api/prices/sync/channels/7': () => undefined,
    ...responses,
  })
  const view = await renderConsole(<PriceSyncPage />, {
    address,
    path: '/admin/prices_/sync',
    validateSearch: (search) => PriceSyncSearch.parse(search),
    user: { role },
  })
  await screen.findByText('Batch: factor')
  return {
    ...view,
    calls,
    bodies: (path: string) => calls.filter((call) => call.path === path).map(({ body }) => body),
  }
}

const proposals = () => within(screen.getByRole('region', { name: 'Proposals' }))

test('proposals show each field with its current and proposed value, and sources their failures', async () => {
  await open()
  const row = (name: string) => proposals().getByText(name).closest('tr')?.textContent
  expect(row('Input')).toContain('$2.00$2.50+25%')
  expect(row('Output above 200K')).toContain('$0.0028$0.0014−50%')
  expect(row('Mode Priority')).toContain('–×2–')
  expect(row('Batch: factor')).toContain('×0.5×0.6')
  const sources = within(screen.getByRole('region', { name: 'Sources' }))
  expect(sources.getByText('Failed')).toBeTruthy()
  expect(sources.getByText('Cost of the channel, group vip')).toBeTruthy()
})

test('approving one proposal leaves the others, and outdated ones are reported', async () => {
  const { user, bodies } = await open()
  await user.click((await proposals().findAllByRole('checkbox'))[1] ?? document.body)
  await user.click(await screen.findByRole('button', { name: 'Approve' }))
  expect(bodies('/api/prices/sync/decide')).toEqual([{ decision: 'approve', ids: [1] }])
})

test('all proposals that match the filters are rejected after a confirmation', async () => {
  const { user, bodies } = await open('/admin/prices_/sync?keyword=kite')
  await user.click(await screen.findByRole('button', { name: 'Reject all 4' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Reject' }))
  expect(bodies('/api/prices/sync/decide')).toEqual([{ decision: 'reject', filter: { keyword: 'kite' } }])
})

test('a run can be started by hand', async () => {
  const { user, calls } = await open()
  await user.click(screen.getByRole('button', { name: 'Run now' }))
  expect(calls.filter(({ path }) => path === '/api/prices/sync/run')).toHaveLength(1)
})

test('the use of a channel’s prices is changed in a drawer', async () => {
  const { user, bodies } = await open()
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  const group = await screen.findByRole('textbox', { name: /Your group/ })
  await user.clear(group)
  await user.type(group, 'svip')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(bodies('/api/prices/sync/channels/7')).toEqual([{ use: 'cost', group: 'svip' }])
})
