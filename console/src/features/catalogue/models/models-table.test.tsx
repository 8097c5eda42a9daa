import { afterEach, expect, setSystemTime, spyOn, test } from 'bun:test'
import { screen, within } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { aRow } from '../../../../test/pricing-factory'
import { ModelFilters } from './model-filters'
import { ModelsTable } from './models-table'
import type { ModelSearch } from './model-search'
import { useOffers } from './model-data'

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
const response = {
  success: true,
  message: '',
  data: rows,
  group_ratio: { default: 1, vip: 4 },
  usable_group: { default: 'For all', vip: 'For few' },
  vendors: { acme: 'Acme' },
  aliases: [],
}

async function openList(search: ModelSearch = {}, data: object = {}) {
  serve({ 'GET /api/pricing': () => Response.json({ ...response, ...data }) })
  const changes: Partial<ModelSearch>[] = []
  const setSearch = (change: Partial<ModelSearch>) => changes.push(change)
  function List() {
    const offers = useOffers(search)
    return (
      <>
        <ModelFilters offers={offers} search={search} setSearch={setSearch} />
        <ModelsTable offers={offers} search={search} setSearch={setSearch} canTry />
      </>
    )
  }
  const view = await renderConsole(<List />)
  await screen.findAllByText('big-1')
  return { ...view, changes }
}

test('an empty list with models that have no price leads to their prices', async () => {
  serve({
    'GET /api/pricing': () => Response.json({ ...response, data: [] }),
    'GET /api/prices': () =>
      Response.json({
        success: true,
        message: '',
        data: { items: [], page: 1, total: 150 },
        counts: { all: 150, own: 0, default: 0, unpriced: 150, differs: 0 },
        vendors: {},
        aliases: [],
      }),
  })
  function List() {
    return <ModelsTable offers={useOffers({})} search={{}} setSearch={() => {}} canTry />
  }
  await renderConsole(<List />, { user: { role: 100 } })
  expect(await screen.findByText('150 models have no price')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Set prices' }).getAttribute('href')).toBe('/admin/prices?filter=unpriced')
})

const lines = () => screen.getAllByRole('row').map((row) => row.textContent)

test('prices are those of the reader’s own group, with gaps for models it lacks', async () => {
  await openList()
  expect(lines().slice(1)).toEqual([
    'big-1$2.500$10.000$2.500$3.1251 h $5.00–defaultvip',
    'picture-1––––$0.040per calldefault',
    'small-1–––––vip',
  ])
})

test('another group has other prices', async () => {
  await openList({ group: 'vip' })
  expect(lines()[1]).toBe('big-1$10.000$40.000$10.000$12.5001 h $20.00–defaultvip')
})

test('facets count what the others leave, and a click selects a value', async () => {
  const { user, changes } = await openList({ kind: 'volume' })
  const vendors = screen.getByRole('group', { name: 'Vendor' })
  expect([...vendors.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
    'All2',
    'Acme1',
    'Other1',
  ])
  await user.click(screen.getByRole('button', { name: 'Per call 1' }))
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

test('a card of a model that the group lacks names the groups that have it', async () => {
  await openList({ view: 'cards' })
  expect(screen.getByText('Only in the groups vip')).toBeTruthy()
})

test('an outdated link beyond the last page shows the last page', async () => {
  await openList({ page: 9 })
  expect(screen.getByText('Items 1 - 3 of 3')).toBeTruthy()
})

const facts = {
  kind: 'chat',
  context_tokens: 128_000,
  output_tokens: 16_384,
  input: ['text', 'image'],
  output: ['text'],
  abilities: ['tools'],
} as const

const headings = () => screen.getAllByRole('columnheader').map((heading) => heading.textContent)

test('the facts of a model are in its row', async () => {
  await openList({}, { data: [{ ...rows[0], facts }] })
  expect(headings()).toContain('Context')
  expect(lines()[1]).toContain('128K')
  expect(screen.getByRole('img', { name: /^Input: text, images\s+Output: text$/ })).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Tools' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Tools 1' })).toBeTruthy()
})

test('facets with a single choice and empty columns are hidden', async () => {
  const onlyVolume = [rows[0], aRow({ model_name: 'big-2', owned_by: 'acme' })]
  await openList({}, { data: onlyVolume, group_ratio: { default: 1 } })
  expect(screen.queryByRole('group')).toBeNull()
  expect(headings()).toEqual(['Model', 'Input / 1M', 'Output / 1M', 'Cache read', 'Cache write', 'Actions'])
  expect(screen.queryByRole('button', { name: 'Compare groups' })).toBeNull()
})

test('groups are shown side by side, each with its own prices', async () => {
  await openList({ compare: true })
  expect(headings().slice(0, 4)).toEqual(['Model', 'default ×1', 'vip ×4', 'Actions'])
  expect(lines().slice(1)).toEqual([
    'big-1$2.500 / $10.000$10.000 / $40.000',
    'picture-1$0.040per call–',
    'small-1–$8.000 / $8.000',
  ])
})

test('a model of vectors has no output price side by side either; another has that of its input', async () => {
  const entry = { prices: { input: 0.13 } }
  const row = aRow({ model_name: 'big-1', entry, enable_groups: ['default', 'vip'] })
  const { unmount } = await openList(
    { compare: true },
    { data: [{ ...row, facts: { ...facts, kind: 'embedding', context_tokens: null } }] },
  )
  expect(lines()[1]).toBe('big-1$0.130$0.520')
  unmount()
  await openList({ compare: true }, { data: [row] })
  expect(lines()[1]).toBe('big-1$0.130 / $0.130$0.520 / $0.520')
})

afterEach(() => void setSystemTime())

const tiered = aRow({
  model_name: 'big-1',
  entry: {
    prices: { input: 2, output: 8, cache_read: 0.2, cache_write_5m: 2.5, cache_write_1h: 4, web_search: 10 },
    tiers: [{ above: 200_000, prices: { input: 4, output: 12 } }],
    modes: [
      { name: 'batch', match: { batch: 'true' }, factor: 0.5 },
      { name: 'flex', match: { service_tier: 'flex' }, prices: { input: 1.5 } },
    ],
    schedules: [
      { name: 'off-peak', zone: 'UTC', days: [1, 2, 3, 4, 5], from: '00:00', to: '01:00', factor: 0.5 },
      { name: 'off-peak', zone: 'UTC', days: [6, 7], from: '00:00', to: '00:00', factor: 0.5 },
    ],
  },
})

test('a row contains the prices of long inputs, of the cache, and of modes and hours', async () => {
  await openList({}, { data: [tiered] })
  expect(lines()[1]).toBe(
    'big-1Batch×0.5Flex×0.75Off-peak×0.5$2.000>200K $4.00$8.000>200K $12.00$0.200$2.5001 h $4.00default',
  )
})

test('the panel of a model has all prices in the chosen group, its modes, its hours and a calculator', async () => {
  // A Wednesday at noon, outside all hours.
  setSystemTime(new Date('2026-11-25T12:00:00Z'))
  const { user } = await openList(
    { group: 'vip', open: 'big-1' },
    { data: [{ ...tiered, facts, enable_groups: ['vip'] }] },
  )
  const panel = within(await screen.findByRole('complementary', { name: 'Details' }))
  const textsOf = (name: string) =>
    panel.getAllByRole('row').filter((row) => row.textContent.startsWith(name))[0]?.textContent
  await panel.findByText('Modes')
  expect(textsOf('Input')).toBe('Input$8.00$16.00')
  expect(textsOf('Cache write, 1 h')).toBe('Cache write, 1 h$16.00$16.00')
  expect(textsOf('Web search')).toBe('Web searchper 1,000 calls$40.00$40.00')
  expect(panel.getByText('Mon to Fri 00:00–01:00')).toBeTruthy()
  expect(panel.getByText('Sat, Sun all day')).toBeTruthy()
  await user.selectOptions(panel.getByRole('combobox', { name: 'Mode' }), 'Batch')
  const output = panel.getByRole('textbox', { name: 'Output: amount' })
  await user.clear(output)
  await user.type(output, '1000000')
  const input = panel.getByRole('textbox', { name: 'Input: amount' })
  await user.clear(input)
  await user.type(input, '1000000')
  expect(panel.getByText('Charged at the tier above 200K input tokens')).toBeTruthy()
  expect(panel.getByRole('row', { name: 'Total $32.00' })).toBeTruthy()
})

test('writing to a cache without a price of its own follows the input, in each tier', async () => {
  const entry = { prices: { input: 2, output: 8, cache_read: 0.2 }, tiers: [{ above: 200_000, prices: { input: 4 } }] }
  const { unmount } = await openList({}, { data: [aRow({ model_name: 'big-1', entry })] })
  expect(lines()[1]).toBe('big-1$2.000>200K $4.00$8.000$0.200$2.5001 h $4.00>200K $5.00default')
  unmount()
  await openList({}, { data: [aRow({ model_name: 'big-1', entry: { prices: { input: 2, output: 8 } } })] })
  expect(headings()).not.toContain('Cache write')
})

test('a table of middle width shows the cost of a call in place of modalities and capabilities', async () => {
  const frame = spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 900, 400))
  const data = [{ ...rows[0], facts }]
  const described = await openList({}, { data })
  expect(headings()).toContain('Modality · Capabilities')
  described.unmount()
  await openList({ calculator: true }, { data })
  expect(headings()).not.toContain('Modality · Capabilities')
  expect(headings()).toContain('1 call · 1,000 calls')
  frame.mockRestore()
})

test('the calculator shows the cost of a call of this size with each model, once and a thousand times', async () => {
  const { user, changes } = await openList({ calculator: true, in: 10_000, out: 1000 })
  const input = await screen.findByRole('textbox', { name: 'Input tokens' })
  expect(input).toHaveProperty('value', '10,000')
  expect(lines()[1]).toContain('$0.035$35.00')
  expect(lines()[2]).toContain('$0.04$40.00')
  await user.clear(input)
  await user.type(input, '5')
  expect(changes.at(-1)).toEqual({ in: 5 })
})

test('only the first makers and the chosen one are visible, and a click shows the rest', async () => {
  const nameOf = (index: number) => (index === 9 ? 'big-1' : `m-${index}`)
  const many = Array.from({ length: 14 }, (_, index) => aRow({ model_name: nameOf(index), owned_by: `maker-${index}` }))
  const { user } = await openList({ vendor: 'maker-9' }, { data: [...rows.slice(1), ...many], vendors: {} })
  const vendors = () => within(screen.getByRole('group', { name: 'Vendor' })).getAllByRole('button').length
  expect(screen.getByRole('button', { name: 'maker-9 1' })).toBeTruthy()
  // All, nine makers, the chosen one, and the button for the others.
  expect(vendors()).toBe(12)
  await user.click(screen.getByRole('button', { name: '6 more' }))
  expect(vendors()).toBe(17)
})
