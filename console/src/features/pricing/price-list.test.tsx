import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { aRow } from '../../../test/pricing-factory'
import { Facets } from './facets'
import { PriceList } from './price-list'
import type { PricingSearch } from './pricing-search'
import { useOffers } from './use-offers'

const rows = [
  aRow({
    model_name: 'big-1',
    owned_by: 'acme',
    model_ratio: 1.25,
    completion_ratio: 4,
    enable_groups: ['default', 'vip'],
  }),
  aRow({ model_name: 'picture-1', owned_by: 'acme', quota_type: 1, model_price: 0.04 }),
  aRow({ model_name: 'small-1', enable_groups: ['vip'] }),
]
const answer = {
  success: true,
  message: '',
  data: rows,
  group_ratio: { default: 1, vip: 4 },
  usable_group: { default: 'For all', vip: 'For few' },
  vendors: { acme: 'Acme' },
}

async function openList(search: PricingSearch = {}) {
  serve({ 'GET /api/pricing': () => Response.json(answer) })
  const changes: Partial<PricingSearch>[] = []
  const setSearch = (change: Partial<PricingSearch>) => changes.push(change)
  function List() {
    const offers = useOffers(search)
    return (
      <>
        <Facets offers={offers} search={search} setSearch={setSearch} />
        <PriceList offers={offers} search={search} setSearch={setSearch} canTry />
      </>
    )
  }
  const view = await renderConsole(<List />)
  await screen.findAllByText('big-1')
  return { ...view, changes }
}

const lines = () => screen.getAllByRole('row').map((row) => row.textContent)

test('prices are those of the reader’s own group; what it lacks has none', async () => {
  await openList()
  expect(lines().slice(1)).toEqual([
    'big-1AcmeBy volume$2.500$10.000$2.500–defaultvip',
    'picture-1AcmeBy call–––$0.040default',
    'small-1OtherBy volume––––vip',
  ])
})

test('another group has other prices', async () => {
  await openList({ group: 'vip' })
  expect(lines()[1]).toBe('big-1AcmeBy volume$10.000$40.000$10.000–defaultvip')
})

test('facets count what the others leave, and are chosen by a click', async () => {
  const { user, changes } = await openList({ kind: 'volume' })
  const vendors = screen.getByRole('group', { name: 'Vendor' })
  expect([...vendors.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
    'All2',
    'Acme1',
    'Other1',
  ])
  await user.click(screen.getByRole('button', { name: 'By call 1' }))
  await user.click(screen.getByRole('button', { name: 'vip ×4' }))
  expect(changes).toEqual([
    { kind: 'call', page: undefined },
    { group: 'vip', page: undefined },
  ])
})

test('a column sorts the whole list', async () => {
  const { user, changes } = await openList()
  await user.click(screen.getByRole('button', { name: 'Input / 1M' }))
  expect(changes).toEqual([{ sort: 'input', descending: true }])
})

test('a model opens in the playground', async () => {
  await openList()
  expect(screen.getByRole('link', { name: 'Open big-1 in the playground' }).getAttribute('href')).toBe(
    '/playground?model=big-1',
  )
})

test('as cards, a model the group lacks says where it is', async () => {
  await openList({ view: 'cards' })
  expect(screen.getByText('Only in the groups vip')).toBeTruthy()
})

test('an old link beyond the last page shows the last', async () => {
  await openList({ page: 9 })
  expect(screen.getByText('Items 1 - 3 of 3')).toBeTruthy()
})
