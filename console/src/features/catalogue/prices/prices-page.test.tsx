import { expect, test } from 'bun:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { role, type Grant } from '@tollgate/contract'

import { aPhone } from '../../../../test/narrow-window'
import { aPriceRow } from '../../../../test/price-factory'
import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { untilGone } from '../../../../test/until-gone'
import { PricesPage } from './prices-page'
import { PricesSearch } from './price-search'

const own = (entry: object) => ({
  entry: { prices: {}, ...entry },
  source: 'own' as const,
  updated_at: 1,
  updated_by: 'root',
})

const rows = [
  aPriceRow({
    list_source: {
      vendor: { en: 'Acme Cloud', zh: 'Acme 云' },
      region: 'cn',
      currency: 'CNY',
      yuan_rate: 7.1,
      yuan_rate_date: '2026-11-27',
      date: '2026-08-21',
      source: 'a price table',
    },
  }),
  aPriceRow({
    model: 'big-2',
    own: own({ prices: { input: 3 }, ratios: { output: 5 } }),
    sale: { prices: { input: 3 }, ratios: { output: 5 } },
    mix: 6,
    margin: -0.25,
    cheapest: { channel_id: 1, channel_name: 'Dublin', kind: 'factor', mix: 4 },
    dearest: { channel_id: 2, channel_name: 'Paris', kind: 'list', mix: 7.5 },
  }),
  aPriceRow({
    model: 'picture-1',
    kind: 'image',
    list: null,
    sale: { prices: { per_image: 0.04 } },
    mix: 0.04,
    list_mix: null,
  }),
  aPriceRow({
    model: 'new-1',
    kind: 'unpriced',
    list: null,
    sale: null,
    mix: null,
    list_mix: null,
    reason: 'sold in yuan',
  }),
]

interface OpenOptions {
  readonly address?: string
  readonly grants?: readonly Grant[]
  readonly responses?: Parameters<typeof serve>[0]
}

async function open({ address = '/admin/prices', grants, responses = {} }: OpenOptions = {}) {
  const calls = serve({
    'GET /api/prices': () =>
      Response.json({
        success: true,
        message: '',
        data: { items: rows, page: 1, total: rows.length },
        counts: { all: 4, own: 1, default: 2, unpriced: 1, differs: 1 },
        vendors: { acme: 'Acme' },
      }),
    'GET /api/prices/model': ({ query }) => {
      const row = rows.find(({ model }) => model === query['model'])
      return { ...row, costs: [row?.cheapest, row?.dearest].filter(Boolean) }
    },
    'PUT /api/prices': () => [],
    'DELETE /api/prices': () => 1,
    ...responses,
  })
  const view = await renderConsole(<PricesPage />, {
    address,
    path: '/admin/prices',
    validateSearch: (search) => PricesSearch.parse(search),
    user: { role: role.root },
    ...(grants && { grants }),
  })
  await screen.findByText('big-1')
  const getWrites = () => calls.filter(({ method }) => method !== 'GET').map(({ method, body }) => ({ method, body }))
  const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
  const type = async (name: string, text: string) => {
    await view.user.clear(field(name))
    if (text) await view.user.type(field(name), text)
  }
  return { ...view, calls, getWrites, field, type }
}

const aList = (row: ReturnType<typeof aPriceRow>) => ({
  'GET /api/prices': () =>
    Response.json({
      success: true,
      message: '',
      data: { items: [row], page: 1, total: 1 },
      counts: { all: 1, own: 0, default: 1, unpriced: 0, differs: 0 },
      vendors: { acme: 'Acme' },
    }),
})

const lineOf = (model: string) => screen.getAllByRole('row').find((row) => row.textContent.startsWith(model))

test('a row has our prices, the list price and the difference, the range of costs and the margin', async () => {
  const { field } = await open()
  expect(field('Input price of big-2').value).toBe('$3.000')
  expect(field('Output price of big-2').value).toBe('$15.000')
  const line = lineOf('big-2')
  expect(line?.textContent).toContain('$2.000 / $8.000+71.4%')
  expect(line?.textContent).toContain('$4.000–7.500')
  expect(line?.textContent).toContain('−25%')
  expect(field('Image or page price of picture-1').value).toBe('$0.040')
  expect(lineOf('new-1')?.textContent).toContain('No price')
})

test('a cost that was not entered is shown as none, and so is a zero margin at it', async () => {
  const assumed = { channel_id: 1, channel_name: 'Dublin', kind: 'list' as const, mix: 3.5 }
  const known = { ...assumed, kind: 'own' as const }
  const row = { list: null, margin: 0, cheapest: assumed, dearest: assumed }
  const { unmount } = await open({ responses: aList(aPriceRow(row)) })
  expect(lineOf('big-1')?.textContent).not.toMatch(/3\.5|0%/)
  unmount()
  await open({ responses: aList(aPriceRow({ ...row, cheapest: known, dearest: known })) })
  expect(lineOf('big-1')?.textContent).toContain('$3.500')
  expect(lineOf('big-1')?.textContent).toContain('0%')
})

test('a list price without an output price names none', async () => {
  const list = { prices: { input: 0.02 } }
  await open({ responses: aList(aPriceRow({ model: 'big-1', list, sale: list, mix: 0.02, list_mix: 0.02 })) })
  expect(lineOf('big-1')?.textContent).toContain('$0.02')
  expect(lineOf('big-1')?.textContent).not.toContain('/')
})

test('writing to a cache is shown at the price that follows, for editing and for reading', async () => {
  const sale = { prices: { input: 2.5, output: 10, cache_read: 1.25 } }
  const responses = aList(aPriceRow({ list: sale, sale }))
  const { field, unmount } = await open({ responses })
  const write = field('Cache write, 5 min price of big-1')
  expect([write.value, write.placeholder]).toEqual(['', '$3.125'])
  expect(field('Cache read price of big-1').placeholder).toBe('–')
  unmount()
  await open({ responses, grants: ['prices.read'] })
  expect(lineOf('big-1')?.textContent).toContain('$1.250$3.125')
})

test('Enter saves a price and keeps the rest of the entry, which can be undone', async () => {
  const { user, getWrites, type } = await open()
  await type('Output price of big-2', '$1,200.5{Enter}')
  await waitFor(() =>
    expect(getWrites()).toEqual([
      { method: 'PUT', body: { items: [{ model: 'big-2', entry: { prices: { input: 3, output: 1200.5 } } }] } },
    ]),
  )
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(getWrites()[1]).toEqual({
      method: 'PUT',
      body: { items: [{ model: 'big-2', entry: { prices: { input: 3 }, ratios: { output: 5 } } }] },
    }),
  )
})

test('a price a hundred times above the present one is asked about, in the table and in the drawer', async () => {
  const { user, getWrites, type, field, unmount } = await open()
  await type('Input price of big-2', '3000{Enter}')
  expect(await screen.findByText(/^Input would be \$3,000\.000/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(field('Input price of big-2').getAttribute('aria-invalid')).toBe('true'))
  expect(getWrites()).toEqual([])
  unmount()
  const drawer = await open({ address: '/admin/prices?edit=big-1' })
  await screen.findByRole('tab', { name: 'Tiers' })
  const dialog = within(screen.getByRole('dialog', { name: 'Price of big-1' }))
  const input = dialog.getByRole('textbox', { name: 'Input' })
  await drawer.user.clear(input)
  await drawer.user.type(input, '2000')
  await drawer.user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/^Input would be \$2,000\.000/)).toBeTruthy()
  expect(drawer.getWrites()).toEqual([])
  await drawer.user.click(screen.getByRole('button', { name: 'Save anyway' }))
  await waitFor(() => expect(drawer.getWrites()).toHaveLength(1))
})

test('Escape reverts a price, Tab saves and moves on, and an invalid price is reported', async () => {
  const { user, getWrites, field, type } = await open()
  await type('Input price of big-1', '9{Escape}')
  expect(field('Input price of big-1').value).toBe('$2.000')
  await type('Input price of big-1', 'cheap{Enter}')
  expect(await screen.findByText(/^Enter a price in dollars/)).toBeTruthy()
  await type('Input price of big-1', '2.5')
  await user.tab()
  expect(document.activeElement).toBe(field('Output price of big-1'))
  await waitFor(() =>
    expect(getWrites()).toEqual([
      { method: 'PUT', body: { items: [{ model: 'big-1', entry: { prices: { input: 2.5 } } }] } },
    ]),
  )
})

test('a cleared price follows the list again, and the entry is removed with its last price', async () => {
  const { getWrites, type } = await open({
    responses: {
      'GET /api/prices': () =>
        Response.json({
          success: true,
          message: '',
          data: { items: [aPriceRow({ own: own({ prices: { input: 2 } }) })], page: 1, total: 1 },
          counts: {},
          vendors: {},
        }),
    },
  })
  await type('Input price of big-1', '{Enter}')
  await waitFor(() => expect(getWrites()).toEqual([{ method: 'DELETE', body: { models: ['big-1'] } }]))
})

test('readers without write access find no field, no bulk edit and no import', async () => {
  await open({ grants: ['prices.read'] })
  expect(screen.queryByRole('textbox', { name: /price of/ })).toBeNull()
  for (const name of ['Bulk edit', 'Import']) expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.getByRole('button', { name: 'Export' })).toBeTruthy()
})

test('the card of a price on a phone is read, and has no field', async () => {
  using _phone = aPhone()
  await open({ responses: aList(aPriceRow()) })
  const card = within(await screen.findByRole('listitem'))
  expect(card.getByText('Input').nextElementSibling?.textContent).toBe('$2.000')
  expect(card.queryByRole('textbox')).toBeNull()
  expect(card.getByRole('button', { name: 'Edit the price of big-1' })).toBeTruthy()
})

test('a bulk edit is previewed before it is saved, and again after another change', async () => {
  const requests: unknown[] = []
  const { user } = await open({
    responses: {
      'POST /api/prices/bulk': ({ body }) => {
        requests.push(body)
        const change = { before: rows[0]?.sale, after: { prices: { input: 3, output: 12 } }, own: null }
        return {
          total: 1,
          changes: [{ model: 'big-1', ...change, before_mix: 3.5, after_mix: 5.25 }],
          skipped: ['new-1'],
        }
      },
    },
  })
  for (const line of screen.getAllByRole('checkbox', { name: 'Select row' }).slice(0, 2)) await user.click(line)
  const bar = within(screen.getByRole('region', { name: 'Actions for the selected rows' }))
  await user.click(bar.getByRole('button', { name: 'Bulk edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Bulk edit' }))
  await user.click(dialog.getByRole('button', { name: 'Preview' }))
  expect(await dialog.findByText('$2.00 → $3.00')).toBeTruthy()
  expect(dialog.getByText(/1 model is skipped.*new-1/)).toBeTruthy()
  await user.click(dialog.getByRole('radio', { name: 'Factor on cost' }))
  expect(dialog.queryByText('$2.00 → $3.00')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Output' }))
  await user.click(dialog.getByRole('button', { name: 'Preview' }))
  const save = await dialog.findByRole('button', { name: 'Save 1 price' })
  expect(document.activeElement?.textContent).toBe('Save 1 price')
  await user.click(save)
  await untilGone(() => screen.queryByRole('dialog'))
  const cost = { models: ['big-1', 'big-2'], base: 'cost', factor: 1.2, classes: ['output'] }
  expect(requests).toEqual([
    { models: ['big-1', 'big-2'], base: 'list', factor: 1.2, preview: true },
    { ...cost, preview: true },
    { ...cost, preview: false },
  ])
})

test('another order of the prices begins with the first page and without a selection', async () => {
  const { user, calls } = await open({ address: '/admin/prices?page=2&kind=tokens' })
  const [line] = screen.getAllByRole('checkbox', { name: 'Select row' })
  await user.click(line as HTMLElement)
  expect(screen.getByRole('region', { name: 'Actions for the selected rows' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Margin' }))
  await waitFor(() =>
    expect(calls.filter(({ path }) => path === '/api/prices').map(({ query }) => query)).toMatchObject([
      { p: '2', kind: 'tokens' },
      { p: '1', kind: 'tokens', sort: 'margin', order: 'desc' },
    ]),
  )
  expect(screen.queryByRole('region', { name: 'Actions for the selected rows' })).toBeNull()
})

test('a file with errors lists its lines and cannot be saved', async () => {
  const requests: unknown[] = []
  const { user } = await open({
    address: '/admin/prices?dialog=import',
    responses: {
      'POST /api/prices/import': ({ body }) => {
        requests.push(body)
        return { total: 0, changes: [], errors: [{ line: 3, model: 'big-1', reason: 'no such class' }] }
      },
    },
  })
  const dialog = within(await screen.findByRole('dialog', { name: 'Import' }))
  fireEvent.change(dialog.getByRole('textbox', { name: 'File content' }), { target: { value: 'model,input\nbig-1,x' } })
  await user.click(dialog.getByRole('button', { name: 'Preview' }))
  expect((await dialog.findByRole('row', { name: '3 big-1 no such class' })).textContent).toBeTruthy()
  expect(dialog.queryByRole('button', { name: /^Save/ })).toBeNull()
  expect(requests).toEqual([{ format: 'csv', text: 'model,input\nbig-1,x', preview: true }])
})

test('a model whose cost is unknown is said to be served where channels have it', async () => {
  await open({ address: '/admin/prices?open=new-1' })
  expect(await screen.findByText(/^Channels serve this model/)).toBeTruthy()
})

test('the panel shows the cost of each channel and sets its factor', async () => {
  const { user, getWrites } = await open({
    address: '/admin/prices?open=big-2',
    responses: {
      'GET /api/prices/cost': () => ({ items: [], page: 1, total: 0 }),
      'PUT /api/prices/cost': () => 1,
    },
  })
  const panel = within(await screen.findByRole('complementary', { name: 'Details' }))
  const costs = within(await panel.findByRole('region', { name: 'Cost at the channels' }))
  expect(costs.getByRole('row', { name: /^Dublin/ }).textContent).toContain('$4.0033.3%')
  expect(costs.getByRole('row', { name: /^Paris/ }).textContent).toContain('$7.50−25%')
  await user.click(costs.getByRole('button', { name: 'Set the cost at Paris' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Cost at Paris' }))
  await user.click(await dialog.findByRole('radio', { name: 'List × factor' }))
  const factor = dialog.getByRole('textbox', { name: 'Factor' })
  await user.clear(factor)
  await user.type(factor, '0.8')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(getWrites()).toHaveLength(1))
  const remove = [{ channel_id: 2, model: 'big-2' }]
  expect(getWrites()).toEqual([{ method: 'PUT', body: { items: [{ channel_id: 2, model: '', factor: 0.8 }], remove } }])
})

test('the panel says vendor, region, currency, rate and date of a list price', async () => {
  await open({ address: '/admin/prices?open=big-1' })
  const source = await screen.findByTitle('a price table')
  expect(source.textContent).toBe('Acme Cloud · mainland China · yuan, 7.1 for a dollar on 2026-11-27 · 2026-08-21')
})

test('the drawer reports faults, and saves only what differs from the list', async () => {
  const { user, getWrites } = await open({ address: '/admin/prices?edit=big-1' })
  await user.click(await screen.findByRole('tab', { name: 'Tiers' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Price of big-1' }))
  await user.click(dialog.getByRole('button', { name: 'Add a tier' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('A tier has no price.')).toBeTruthy()
  await user.type(dialog.getAllByRole('textbox', { name: 'Input' })[0] as HTMLElement, '4')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(getWrites()).toHaveLength(1))
  expect(getWrites()[0]?.body).toEqual({
    items: [{ model: 'big-1', entry: { prices: {}, tiers: [{ above: 200_000, prices: { input: 4 } }] } }],
  })
})
