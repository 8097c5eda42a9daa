import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { earningRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { EarningSearch } from './earning-search'
import { EarningsPage } from './earnings-page'

const sums = {
  count: 3,
  quota: 840_000,
  sold: 840_000,
  cost: 420_000,
  unpriced: 0,
  prompt_tokens: 300_000,
  cached_tokens: 60_000,
  saved: 81_000,
}
const unknown = { ...sums, count: 1, quota: 280_000, sold: 0, cost: 0, unpriced: 1, cached_tokens: 0, saved: 0 }
const data: earningRoutes.EarningData = {
  totals: { ...sums, count: 4, quota: 1_120_000, unpriced: 1 },
  previous: { ...sums, count: 0, quota: 0, sold: 0, cost: 0, saved: 0 },
  times: [1_800_000_000, 1_800_086_400],
  by_time: { quota: [840_000, 280_000], sold: [840_000, 0], cost: [420_000, 0] },
  rows: [
    { id: 1, name: 'Reseller', ...sums },
    { id: 2, name: 'Pilot', ...unknown },
  ],
  rest: null,
}

async function openPage(search = '', response = data, shown = 'Reseller') {
  const calls = serve({ 'GET /api/data/earnings': () => response })
  const view = await renderConsole(<EarningsPage />, {
    user: { role: 100 },
    address: `/admin/earnings${search}`,
    path: '/admin/earnings',
    validateSearch: (raw) => EarningSearch.parse(raw),
  })
  await screen.findAllByText(shown)
  return { ...view, calls }
}

const rowOf = (name: string) => within(screen.getByText(name).closest('tr') ?? document.body)

test('an unknown cost is shown as unknown, with its calls and their sale, and what is known is said to be a part', async () => {
  await openPage('?days=7')
  expect(rowOf('Pilot').getAllByText('unknown')).toHaveLength(2)
  expect(rowOf('Pilot').getByText('1 call · $0.56')).toBeTruthy()
  expect(rowOf('Reseller').getAllByText('$0.84')).toHaveLength(2)
  expect(rowOf('Reseller').getByText('50%')).toBeTruthy()
  expect(screen.getByText('Profit where the cost is known')).toBeTruthy()
  expect(screen.getByText(/^The cost of 1 call, sold for \$0\.56, is unknown\./)).toBeTruthy()
})

test('a name leads to what it consists of, and a head changes the order', async () => {
  const { calls, user } = await openPage('?days=7')
  const last = () => calls.at(-1)?.query
  expect(last()).toMatchObject({ group_by: 'channel', sort: 'profit', descending: 'true' })
  await user.click(screen.getByRole('button', { name: 'Sale' }))
  await waitFor(() => expect(last()).toMatchObject({ sort: 'quota', descending: 'true' }))
  await user.click(rowOf('Reseller').getByRole('link', { name: 'Reseller' }))
  await waitFor(() => expect(last()).toMatchObject({ group_by: 'model', channel: '1', sort: 'profit' }))
})

test('sums by upstream key are asked for without the filters that they do not have', async () => {
  const keyed = { ...data, rows: data.rows.map((row) => ({ ...row, key: '3f9a' })) }
  const { calls } = await openPage('?days=7&by=key&channel=1&model=gpt-4o', keyed)
  expect(calls.at(-1)?.query).toMatchObject({ group_by: 'key', channel: '1' })
  expect(calls.at(-1)?.query).not.toHaveProperty('model_name')
  expect(screen.getAllByText('3f9a')).toHaveLength(2)
})

test('a range without calls cost nothing and earned nothing, and has no chart', async () => {
  const noCalls = { ...sums, count: 0, quota: 0, sold: 0, cost: 0, prompt_tokens: 0, cached_tokens: 0, saved: 0 }
  const empty = {
    ...data,
    totals: noCalls,
    previous: noCalls,
    by_time: { quota: [0, 0], sold: [0, 0], cost: [0, 0] },
    rows: [],
  }
  await openPage('?days=7', empty, 'Nothing was sold in this period.')
  expect(screen.queryByText('unknown')).toBeNull()
  expect(screen.queryByRole('img', { name: 'Sale and cost over time' })).toBeNull()
  expect(await screen.findByText('No calls in this period')).toBeTruthy()
})
