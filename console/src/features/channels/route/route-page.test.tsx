import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { aVendor } from '../../../../test/channel-factories'
import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { RoutePage } from './route-page'
import { RouteSearch } from './route-search'

const candidate = (fields: object) => ({
  id: 1,
  name: 'One',
  type: 501,
  weight: 10,
  share: 1,
  share_now: 1,
  is_healthy: true,
  state: 'steady',
  in_flight: 0,
  limit: 0,
  upstream_model: 'kite-1',
  sample: null,
  learned: [],
  score: null,
  reasons: [],
  ...fields,
})
const reason = (code: string, fields: object = {}) => ({ code, seconds_left: 0, detail: '', ...fields })
const sample = { url: 'https://two.example/v1/chat/completions', headers: { 'x-team': 'blue' }, body: '{ "seed": 7 }' }
const explanation = {
  group: 'vip',
  caller: { user_id: 4, username: 'ann', token_id: 9, token_name: 'ci', refusal: 'The key may not call kite-1' },
  tiers: [
    {
      priority: 10,
      strategy: { name: 'mix', cost: 0.75, speed: 0.25, load: 0 },
      channels: [
        candidate({
          share_now: 0,
          score: {
            score: 0.8,
            cost: 0.5,
            speed: 1,
            room: 1,
            reference_cost: 7_000,
            first_token_ms: 420,
            tokens_per_second: 61.7,
          },
          is_healthy: false,
          state: 'open',
          reasons: [reason('breaker', { seconds_left: 12 })],
        }),
      ],
    },
    {
      priority: 0,
      strategy: null,
      channels: [
        candidate({
          id: 2,
          name: 'Two',
          upstream_model: 'kite-mapped',
          in_flight: 2,
          limit: 5,
          sample,
          learned: ['only_streams'],
        }),
      ],
    },
  ],
  others: [
    {
      id: 3,
      name: 'Off',
      type: 501,
      weight: 0,
      priority: 0,
      reasons: [reason('auto_disabled', { detail: 'HTTP 401' })],
    },
    { id: 4, name: 'Far', type: 501, weight: 0, priority: 0, reasons: [reason('model')] },
  ],
  others_total: 2,
}

async function open(address: string) {
  const calls = serve({
    'GET /api/channel/route': () => explanation,
    'GET /api/channel/types': () => [aVendor()],
    'GET /api/channel/models_enabled': () => ['kite-1', 'kite-2'],
    'GET /api/group': () => ['default', 'vip'],
    'GET /api/user/search': () => ({ items: [], total: 0, page: 1, page_size: 20 }),
  })
  const view = await renderConsole(<RoutePage />, {
    address,
    path: '/admin/routing',
    validateSearch: (search) => RouteSearch.parse(search),
    user: { role: 100 },
  })
  const requests = () => calls.filter(({ path }) => path === '/api/channel/route').map(({ query }) => query)
  return { ...view, requests }
}

test('the address holds the query; the result says which channel is next and why others are not', async () => {
  const { requests } = await open('/admin/routing?model=kite-1&user=ann&token=ci')
  expect(await screen.findByText('The next call goes to Two.')).toBeTruthy()
  expect(requests()).toEqual([{ model: 'kite-1', user: 'ann', token: 'ci' }])
  expect(screen.getByText('The key may not call kite-1')).toBeTruthy()
  const first = within(screen.getByRole('region', { name: '1. Priority 10' }))
  expect(first.getByText('Breaker open: calls kept failing · tried again in 12 s')).toBeTruthy()
  expect(first.getByText('Mix · cost 75% · speed 25%')).toBeTruthy()
  for (const text of ['80%', '50% · $0.014', '100% · first token 420 ms · 62 tokens/s'])
    expect(first.getByText(text)).toBeTruthy()
  const second = within(screen.getByRole('region', { name: '2. Priority 0' }))
  expect(second.getByText('asks for kite-mapped')).toBeTruthy()
  expect(second.getByText('2 / 5')).toBeTruthy()
  const others = within(screen.getByRole('region', { name: 'Ruled out' }))
  expect(others.getByText('HTTP 401')).toBeTruthy()
  expect(others.queryByText('Far')).toBeNull()
})

test('a channel shows what it would send', async () => {
  const { user } = await open('/admin/routing?model=kite-1')
  await user.click(await screen.findByText('What would be sent for a short chat'))
  expect(screen.getByText(/it only streams with this model/)).toBeTruthy()
  expect(screen.getByText(/POST https:\/\/two\.example\/v1\/chat\/completions/).textContent).toBe(
    'POST https://two.example/v1/chat/completions\nx-team: blue\n\n{ "seed": 7 }',
  )
})

test('channels without the model are shown on request', async () => {
  const { user } = await open('/admin/routing?model=kite-1')
  await user.click(await screen.findByRole('button', { name: '1 channel without this model' }))
  expect(screen.getByText('Does not list this model')).toBeTruthy()
})

test('no request is made until a model is selected; the selection goes into the address', async () => {
  const { user, requests, router } = await open('/admin/routing')
  expect(await screen.findByText('Which model?')).toBeTruthy()
  expect(requests()).toEqual([])
  await user.click(screen.getByRole('combobox', { name: /Model/ }))
  await user.click(await screen.findByRole('option', { name: /kite-2/ }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ model: 'kite-2' }))
  await waitFor(() => expect(requests()).toEqual([{ model: 'kite-2' }]))
})
