import { describe, expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { Grant } from '@tollgate/contract'

import { renderConsole } from '../../../../../test/render'
import { Refusal, serve } from '../../../../../test/server'
import { untilGone } from '../../../../../test/until-gone'
import { PricesDialog } from './prices-dialog'

const parts = { cache_read: 0.5, cache_write: 1.25, image: 1, audio_input: 1, audio_output: 1 }
const prices = [
  { model: 'kite-1', kind: 'per-token', model_ratio: 1.25, completion_ratio: 4, model_price: 0, parts },
  { model: 'kite-2', kind: 'per-call', model_ratio: 0, completion_ratio: 0, model_price: 0.04, parts: null },
  { model: 'kite-3', kind: 'unpriced', model_ratio: 0, completion_ratio: 0, model_price: 0, parts: null },
]
const storedValue = { ModelRatio: { other: 9 }, CompletionRatio: {}, ModelPrice: { 'kite-2': 0.04, other: 1 } }

interface Options {
  readonly grants?: readonly Grant[]
  readonly language?: 'en' | 'zh'
  readonly onPut?: () => unknown
}

async function open({ grants, language = 'en', onPut = () => null }: Options = {}) {
  const calls = serve({
    'POST /api/channel/prices': () => prices,
    'GET /api/option': () => Object.entries(storedValue).map(([key, value]) => ({ key, value: JSON.stringify(value) })),
    'PUT /api/option/batch': onPut,
  })
  let closed = 0
  const view = await renderConsole(
    <PricesDialog question={{ models: prices.map(({ model }) => model) }} onClose={() => (closed += 1)} />,
    { user: { role: 10 }, grants, language },
  )
  await screen.findByRole('group', { name: 'kite-1' })
  const field = (model: string, name: string) =>
    within(screen.getByRole('group', { name: model })).getByRole<HTMLInputElement>('textbox', { name })
  const type = async (model: string, name: string, text: string) => {
    await view.user.clear(field(model, name))
    if (text !== '') await view.user.type(field(model, name), text)
  }
  const getSavedOptions = () =>
    calls
      .filter(({ method }) => method === 'PUT')
      .map(({ body }) => {
        const { items } = body as { items: { key: string; value: string }[] }
        return Object.fromEntries(items.map(({ key, value }) => [key, JSON.parse(value)]))
      })
  const save = () => view.user.click(screen.getByRole('button', { name: language === 'en' ? 'Save' : '保存' }))
  return { ...view, field, type, save, getSavedOptions, closed: () => closed }
}

describe('prices of a channel', () => {
  test('models without a price come first and are marked', async () => {
    await open()
    const rows = screen.getAllByRole('group').map((row) => row.getAttribute('aria-label'))
    expect(rows).toEqual(['kite-3', 'kite-1', 'kite-2'])
    expect(within(screen.getByRole('group', { name: 'kite-3' })).getByText('No price')).toBeTruthy()
  })

  test('dollars become ratios while typing, and only changed tables are stored', async () => {
    const page = await open()
    await page.type('kite-3', 'Input / 1M tokens', '3')
    await page.type('kite-3', 'Output / 1M tokens', '15')
    expect(page.field('kite-3', 'Ratio').value).toBe('1.5')
    expect(page.field('kite-3', 'Completion ratio').value).toBe('5')
    await page.save()
    await waitFor(() => expect(page.closed()).toBe(1))
    expect(page.getSavedOptions()).toEqual([
      { ModelRatio: { other: 9, 'kite-3': 1.5 }, CompletionRatio: { 'kite-3': 5 } },
    ])
  })

  test('a cache price is typed beside the others and stored as a ratio of its own', async () => {
    const page = await open()
    expect(page.field('kite-1', 'Cached / 1M').value).toBe('1.25')
    expect(within(screen.getByRole('group', { name: 'kite-2' })).queryByRole('textbox', { name: /^Cached/ })).toBeNull()
    await page.type('kite-1', 'Cached / 1M', '0.25')
    await page.save()
    await waitFor(() => expect(page.getSavedOptions()).toEqual([{ CacheRatio: { 'kite-1': 0.1 } }]))
  })

  test('cache, image and audio prices can be hidden', async () => {
    const page = await open()
    await page.user.click(screen.getByRole('switch', { name: 'Cache, image and audio prices' }))
    expect(screen.queryByRole('textbox', { name: 'Cached / 1M' })).toBeNull()
    await page.user.click(screen.getByRole('switch', { name: 'Cache, image and audio prices' }))
    expect(page.field('kite-1', 'Cached / 1M').value).toBe('1.25')
  })

  test('a price by tokens removes the fixed price, which would take precedence', async () => {
    const page = await open()
    const row = within(screen.getByRole('group', { name: 'kite-2' }))
    expect(row.getByRole<HTMLInputElement>('textbox', { name: 'Ratio' }).disabled).toBe(true)
    await page.user.selectOptions(row.getByRole('combobox', { name: 'Billing' }), 'Per token')
    await page.type('kite-2', 'Ratio', '2')
    await page.type('kite-2', 'Completion ratio', '3')
    await page.save()
    await waitFor(() => expect(page.getSavedOptions()).toHaveLength(1))
    expect(page.getSavedOptions()[0]).toEqual({
      ModelRatio: { other: 9, 'kite-2': 2 },
      CompletionRatio: { 'kite-2': 3 },
      ModelPrice: { other: 1 },
    })
  })

  test('faults show the specification’s messages and disable the save button', async () => {
    const page = await open({ language: 'zh' })
    await page.type('kite-1', '模型倍率', 'abc')
    expect(screen.getByText('请输入数字')).toBeTruthy()
    await page.type('kite-1', '输入价格 / 1M', '0')
    expect(screen.getByText('模型价格不能为0')).toBeTruthy()
    expect(screen.getByText('1 项有误')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(true)
    await page.user.type(screen.getByRole('textbox', { name: '模型名称' }), 'kite-1')
    expect(screen.getByText('模型名称已存在')).toBeTruthy()
  })

  test('prices are set for several models at once, with the specification’s refusals', async () => {
    const page = await open({ language: 'zh' })
    const fill = () => page.user.click(screen.getByRole('button', { name: '填入' }))
    await fill()
    expect(screen.getByRole('alert').textContent).toBe('请先选择需要批量设置的模型')
    await page.user.click(screen.getByRole('checkbox', { name: '选择全部 3 个模型' }))
    await fill()
    expect(screen.getByRole('alert').textContent).toBe('请输入模型倍率和补全倍率')
    await page.user.selectOptions(screen.getByRole('combobox', { name: '批量设置的内容' }), '每次价格')
    await fill()
    expect(screen.getByRole('alert').textContent).toBe('请输入填充值')
    const value = screen
      .getAllByRole('textbox', { name: '每次价格' })
      .find((input) => input.closest('[role="group"]') === null)
    if (!value) throw new Error('there is no field to fill in')
    await page.user.type(value, 'x')
    await fill()
    expect(screen.getByRole('alert').textContent).toBe('请输入有效的数字')
    await page.user.clear(value)
    await page.user.type(value, '0.5')
    await fill()
    await page.save()
    await waitFor(() => expect(page.getSavedOptions()).toHaveLength(1))
    expect(page.getSavedOptions()[0]).toEqual({ ModelPrice: { 'kite-2': 0.5, other: 1, 'kite-1': 0.5, 'kite-3': 0.5 } })
  })

  test('a price a hundred times above the present one, or above a dollar, is asked about', async () => {
    const page = await open()
    await page.type('kite-3', 'Input / 1M tokens', '150')
    await page.type('kite-3', 'Output / 1M tokens', '90')
    await page.save()
    expect(await screen.findByText(/^kite-3: Input \/ 1M tokens would be \$150\.00/)).toBeTruthy()
    expect(screen.queryByText(/Output \/ 1M tokens would be/)).toBeNull()
    expect(page.getSavedOptions()).toEqual([])
    await page.user.click(screen.getByRole('button', { name: 'Save anyway' }))
    await waitFor(() => expect(page.closed()).toBe(1))
    expect(page.getSavedOptions()).toHaveLength(1)
  })

  test('readers without the grant see the prices, and why they are read-only', async () => {
    const page = await open({ grants: ['channels.read', 'prices.read'] })
    expect(screen.getByText(/not allowed to change them/)).toBeTruthy()
    expect(page.field('kite-1', 'Ratio').readOnly).toBe(true)
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  test('a refusal keeps what was typed', async () => {
    const page = await open({ onPut: () => new Refusal('option.invalid', 'Too large') })
    await page.type('kite-1', 'Ratio', '7')
    await page.save()
    expect(await screen.findByText('Too large')).toBeTruthy()
    expect([page.field('kite-1', 'Ratio').value, page.closed()]).toEqual(['7', 0])
  })

  test('Escape asks before discarding prices, and a second Escape keeps them', async () => {
    const page = await open()
    await page.type('kite-1', 'Ratio', '7')
    await page.user.keyboard('{Escape}')
    expect(await screen.findByRole('dialog', { name: 'Discard changes?' })).toBeTruthy()
    await page.user.keyboard('{Escape}')
    await untilGone(() => screen.queryByRole('dialog', { name: 'Discard changes?' }))
    expect([page.field('kite-1', 'Ratio').value, page.closed()]).toEqual(['7', 0])
    expect(document.activeElement).toBe(page.field('kite-1', 'Ratio'))
  })

  test('an operator’s price can be reset to the built-in one', async () => {
    const page = await open()
    const reset = await screen.findByRole('button', { name: 'Reset kite-2 to the built-in price' })
    expect(screen.queryByRole('button', { name: 'Reset kite-1 to the built-in price' })).toBeNull()
    await page.user.click(reset)
    expect(within(screen.getByRole('group', { name: 'kite-2' })).getByText('Built-in price')).toBeTruthy()
    await page.save()
    await waitFor(() => expect(page.getSavedOptions()).toEqual([{ ModelPrice: { other: 1 } }]))
  })
})
