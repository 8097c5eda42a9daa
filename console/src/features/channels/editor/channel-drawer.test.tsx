import { describe, expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { aChannel, aVendor } from '../../../../test/channel-factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { untilGone } from '../../../../test/until-gone'
import { ChannelDrawer } from './channel-drawer'

const bare = aVendor({
  type: 502,
  id: 'bare',
  name: { en: 'Bare AI', zh: '裸' },
  base_url: null,
  has_model_list: false,
  models: [],
  fields: [
    { name: 'base_url', kind: 'text', label: { en: 'Endpoint', zh: '终结点' }, required: true },
    { name: 'other', kind: 'text', label: { en: 'Region', zh: '部署地区' }, required: true },
    { name: 'setting.no_dots', kind: 'switch', label: { en: 'No dots', zh: '不含点号' } },
  ],
})

const defaults = {
  max_concurrency: 0,
  max_waiting: 100,
  max_wait_seconds: 10,
  first_byte_timeout: 45,
  first_byte_timeout_whole: 300,
}

type Responses = Parameters<typeof serve>[0]

async function open(id: 'new' | number, responses: Responses = {}, language: 'en' | 'zh' = 'en') {
  const calls = serve({
    'GET /api/channel/types': () => [aVendor(), bare],
    'GET /api/channel/models': () => [],
    'GET /api/channel/defaults': () => defaults,
    'GET /api/group': () => ['default', 'vip'],
    'POST /api/channel/prices': () => [],
    'GET /api/channel/7': () => aChannel(),
    'POST /api/channel': () => aChannel(),
    'PUT /api/channel': () => aChannel(),
    ...responses,
  })
  let closed = 0
  const view = await renderConsole(<ChannelDrawer id={id} onClose={() => (closed += 1)} />, {
    language,
    user: { role: 10 },
  })
  await screen.findByRole('textbox', { name: language === 'en' ? /^Name/ : /^名称/ })
  const callsOf = (method: string) => calls.filter((call) => call.method === method && call.path === '/api/channel')
  const save = () => view.user.click(screen.getByRole('button', { name: language === 'en' ? 'Save' : '保存' }))
  const chooseVendor = async (name: string) => {
    await view.user.click(screen.getByRole('combobox', { name: /Channel type/ }))
    await view.user.click(await screen.findByRole('option', { name }))
  }
  const paste = async (label: RegExp, text: string) => {
    await view.user.click(screen.getByRole('textbox', { name: label }))
    await view.user.paste(text)
  }
  return { ...view, calls, callsOf, save, chooseVendor, paste, closed: () => closed }
}

const leavePicker = async (user: { readonly click: (element: Element) => Promise<void> }) => {
  const picker = await screen.findByRole('dialog', { name: 'Choose models' })
  await user.click(await within(picker).findByRole('button', { name: 'Cancel' }))
}

const fieldNamed = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name })

describe('creating a channel', () => {
  test('a click on a tile selects the vendor', async () => {
    const { user } = await open('new')
    const tile = within(screen.getByRole('group', { name: 'Popular vendors' })).getByRole('button', { name: 'Kite AI' })
    await user.click(tile)
    expect(tile.getAttribute('aria-pressed')).toBe('true')
    expect(fieldNamed(/^Base URL/).placeholder).toBe('https://api.kite.example')
  })

  test('retired models are not filled in, and are marked among the suggestions', async () => {
    const retiring = aVendor({
      models: ['kite-2', 'kite-1'],
      retired_models: [{ name: 'kite-1', since: '2026-07-24' }],
    })
    const page = await open('new', { 'GET /api/channel/types': () => [retiring, bare] })
    await page.chooseVendor('Kite AI')
    await page.user.click(screen.getByRole('button', { name: 'Fill in suggestions (1)' }))
    expect(screen.queryByText(/Retired by the vendor/)).toBeNull()
    await page.user.type(screen.getByRole('combobox', { name: /^Models/ }), 'kite-1')
    expect(await screen.findByText('Retired on 2026-07-24')).toBeTruthy()
    await page.user.keyboard(',')
    expect(await screen.findByText('Retired by the vendor: kite-1')).toBeTruthy()
  })

  test('a channel is created with its vendor’s required fields and can be tested at once', async () => {
    const test = () => Response.json({ success: true, message: '', request_id: 'r', time: 1.25 })
    const page = await open('new', { 'GET /api/channel/test/7': test })
    await page.chooseVendor('Kite AI')
    expect(fieldNamed(/^Base URL/).placeholder).toBe('https://api.kite.example')
    expect(screen.getByText('A key as kt-…')).toBeTruthy()
    expect(fieldNamed(/^Name/).value).toBe('Kite AI')
    await page.paste(/^Key/, 'kt-1\nkt-2')
    expect(screen.getByText('Keys (2)')).toBeTruthy()
    await page.user.click(screen.getByRole('button', { name: 'Fill in suggestions (3)' }))
    await page.save()
    await page.user.click(await screen.findByRole('button', { name: 'Test now' }))
    expect(await screen.findByText('The test passed in 1.3 s')).toBeTruthy()
    expect(page.callsOf('POST').map(({ body }) => body)).toEqual([
      {
        type: 501,
        name: 'Kite AI',
        key: 'kt-1\nkt-2',
        base_url: '',
        other: '',
        openai_organization: '',
        models: 'kite-1,kite-2,kite-3',
        group: 'default',
        model_mapping: '',
        status_code_mapping: '',
        param_override: '',
        setting: '',
        system_prompt: '',
        model_prefix: '',
        test_model: '',
        max_input_tokens: 0,
        priority: 0,
        weight: 0,
        tag: null,
        auto_ban: 1,
      },
    ])
  })

  test('a failed test shows the upstream’s reason', async () => {
    const page = await open('new', {
      'GET /api/channel/test/7': () => new Refusal('channel.test_failed', 'HTTP 402: pay'),
    })
    await page.chooseVendor('Kite AI')
    await page.user.type(fieldNamed(/^Name/), 'Main')
    await page.paste(/^Key/, 'kt-1')
    await page.user.click(screen.getByRole('button', { name: 'Fill in suggestions (3)' }))
    await page.save()
    await page.user.click(await screen.findByRole('button', { name: 'Test now' }))
    expect(await screen.findByText('HTTP 402: pay')).toBeTruthy()
  })

  test('missing fields show the specification’s messages, and nothing is sent', async () => {
    const page = await open('new', {}, 'zh')
    await page.save()
    expect(await screen.findAllByText('请填写渠道名称和渠道密钥！')).toHaveLength(2)
    expect(screen.getByText('请至少选择一个模型！')).toBeTruthy()
    expect(page.callsOf('POST')).toEqual([])
  })

  test('a key is required before the vendor is asked for its models', async () => {
    const page = await open('new')
    await page.chooseVendor('Kite AI')
    await page.user.click(screen.getByRole('button', { name: 'Fetch models' }))
    expect(await screen.findByText('Enter a key')).toBeTruthy()
    expect(page.calls.some(({ path }) => path.includes('fetch_models'))).toBe(false)
  })

  test('the vendor is asked for its models with the first of several keys', async () => {
    const page = await open('new', { 'POST /api/channel/fetch_models': () => ['kite-9'] })
    await page.chooseVendor('Kite AI')
    await page.paste(/^Key/, 'kt-1\nkt-2')
    await page.user.click(screen.getByRole('button', { name: 'Fetch models' }))
    expect(await screen.findByRole('tab', { name: 'New (1)' })).toBeTruthy()
    const requests = page.calls.find(({ path }) => path.includes('fetch_models'))
    expect(requests?.body).toEqual({ type: 501, key: 'kt-1', base_url: '', other: '' })
  })

  test('the vendor’s own fields are rendered: its address, a required field, and a settings key', async () => {
    const page = await open('new')
    await page.chooseVendor('Bare AI')
    expect(screen.queryByRole('textbox', { name: /^Base URL/ })).toBeNull()
    await page.save()
    expect(await screen.findAllByText('This field is required')).toHaveLength(2)
    await page.user.click(screen.getByRole('switch', { name: /No dots/ }))
    await page.user.type(fieldNamed(/^Endpoint/), 'https://e.example/')
    await page.user.type(fieldNamed(/^Region/), 'north')
    await page.user.type(fieldNamed(/^Name/), 'B')
    await page.paste(/^Key/, 'k')
    await page.user.type(screen.getByRole('combobox', { name: /^Models/ }), 'm1,m2,')
    await page.save()
    await waitFor(() => expect(page.callsOf('POST')).toHaveLength(1))
    expect(page.callsOf('POST')[0]?.body).toMatchObject({
      base_url: 'https://e.example',
      other: 'north',
      models: 'm1,m2',
      setting: '{\n  "no_dots": true\n}',
    })
  })

  test('a pasted connection fills the whole form', async () => {
    const page = await open('new')
    await page.paste(/^Key/, 'KITE_API_KEY=kt-9\nKITE_BASE_URL=https://proxy.example/v1')
    expect(fieldNamed(/^Key/).value).toBe('kt-9')
    expect(fieldNamed(/^Base URL/).value).toBe('https://proxy.example')
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: /Channel type/ }).value).toBe('Kite AI')
  })
})

describe('editing a channel', () => {
  test('only changes are sent, and an empty key keeps the stored ones', async () => {
    const page = await open(7)
    expect(screen.getByText(/1 key is stored/)).toBeTruthy()
    await page.user.clear(fieldNamed(/^Name/))
    await page.user.type(fieldNamed(/^Name/), 'Renamed')
    await page.save()
    await waitFor(() => expect(page.closed()).toBe(1))
    expect(page.callsOf('PUT').map(({ body }) => body)).toEqual([{ id: 7, name: 'Renamed' }])
  })

  test('a channel without keys speaks of none that are stored', async () => {
    const keyless = () => aChannel({ keys: [], setting: '{"own_login":true}' })
    await open(7, { 'GET /api/channel/7': keyless })
    expect(screen.queryByText(/stored/)).toBeNull()
    expect(fieldNamed(/^Key/).placeholder).toBe('')
  })

  test('an address that ends in /v1 is saved only after a confirmation', async () => {
    const page = await open(7)
    await page.user.type(fieldNamed(/^Base URL/), 'https://a.example/v1')
    await page.user.type(fieldNamed(/^Key/), 'sk-new')
    await page.save()
    const dialog = await screen.findByRole('dialog', { name: 'The base URL ends in /v1' })
    expect(page.callsOf('PUT')).toEqual([])
    await page.user.click(within(dialog).getByRole('button', { name: 'Save anyway' }))
    await waitFor(() =>
      expect(page.callsOf('PUT')[0]?.body).toEqual({ id: 7, base_url: 'https://a.example/v1', key: 'sk-new' }),
    )
  })

  test('an address that has just sent its models is saved with its version', async () => {
    const page = await open(7, { 'POST /api/channel/fetch_models': () => ['kite-1'] })
    await page.user.type(fieldNamed(/^Base URL/), 'https://a.example/v1')
    await page.user.type(fieldNamed(/^Key/), 'sk-new')
    expect(screen.getByRole('button', { name: 'Remove /v1' })).toBeTruthy()
    await page.user.click(screen.getByRole('button', { name: 'Fetch models' }))
    await leavePicker(page.user)
    await untilGone(() => screen.queryByRole('button', { name: 'Remove /v1' }))
    await page.save()
    await waitFor(() => expect(page.callsOf('PUT')).toHaveLength(1))
    expect(screen.queryByRole('dialog', { name: 'The base URL ends in /v1' })).toBeNull()
  })

  test('a list that does not come proves no address', async () => {
    const page = await open(7, { 'POST /api/channel/fetch_models': () => new Refusal('channel.fetch_failed', '404') })
    await page.user.type(fieldNamed(/^Base URL/), 'https://a.example/v1')
    await page.user.type(fieldNamed(/^Key/), 'sk-new')
    await page.user.click(screen.getByRole('button', { name: 'Fetch models' }))
    await leavePicker(page.user)
    expect(screen.getByRole('button', { name: 'Remove /v1' })).toBeTruthy()
  })

  test('an address is saved without the key, and the form says where stored keys will go', async () => {
    const page = await open(7)
    await page.user.type(fieldNamed(/^Base URL/), 'https://a.example')
    expect(await screen.findByText(/will be sent to another address/)).toBeTruthy()
    await page.save()
    await waitFor(() => expect(page.callsOf('PUT')[0]?.body).toEqual({ id: 7, base_url: 'https://a.example' }))
  })

  test('a refusal to send stored keys elsewhere is shown at the field of the key', async () => {
    const page = await open(7, { 'PUT /api/channel': () => new Refusal('channel.key_again', 'Enter the key again') })
    await page.user.type(fieldNamed(/^Base URL/), 'https://a.example')
    await page.save()
    expect(await screen.findByText('Enter the key again')).toBeTruthy()
    expect(page.closed()).toBe(0)
  })

  test('a refusal is shown at its field, expands its section, and keeps what was typed', async () => {
    const refusal = new Refusal('channel.model_mapping_cycle', 'It is circular')
    const page = await open(7, { 'PUT /api/channel': () => refusal })
    await page.user.type(fieldNamed(/^Name/), ' two')
    await page.save()
    expect(await screen.findByText('It is circular')).toBeTruthy()
    expect(fieldNamed(/^Model mapping/)).toBeTruthy()
    expect(fieldNamed(/^Name/).value).toBe('Main two')
    expect(page.closed()).toBe(0)
  })

  test('concurrency, timeouts and the policy for leaving clients are stored in the channel settings', async () => {
    const page = await open(7, { 'GET /api/channel/7': () => aChannel({ setting: '{"proxy":"http://p.example:1"}' }) })
    await page.user.click(screen.getByRole('button', { name: 'Advanced' }))
    await page.user.type(fieldNamed(/^Maximum concurrent calls/), '8')
    await page.user.type(fieldNamed(/^Maximum waiting calls/), '0')
    await page.user.type(fieldNamed(/^Longest wait/), '5')
    await page.user.type(fieldNamed(/^Time until a stream begins/), '20')
    await page.user.type(fieldNamed(/^Time until a non-streamed response begins/), '90')
    const leaving = screen.getByRole('combobox', { name: /When the client disconnects/ })
    expect(screen.getByRole<HTMLOptionElement>('option', { name: /^Vendor’s default: stop streams/ }).selected).toBe(
      true,
    )
    await page.user.selectOptions(leaving, 'Keep reading to learn the usage')
    await page.save()
    await waitFor(() => expect(page.closed()).toBe(1))
    const [sent] = page.callsOf('PUT').map(({ body }) => body as { setting: string })
    expect(JSON.parse(sent?.setting ?? '')).toEqual({
      proxy: 'http://p.example:1',
      max_concurrency: 8,
      max_waiting: 0,
      max_wait_seconds: 5,
      first_byte_timeout: 20,
      first_byte_timeout_whole: 90,
      on_disconnect: 'drain',
    })
  })

  test('a cleared limit restores the gateway’s default; broken settings must be fixed first', async () => {
    const page = await open(7, { 'GET /api/channel/7': () => aChannel({ setting: '{"max_concurrency":8}' }) })
    await page.user.click(screen.getByRole('button', { name: 'Advanced' }))
    expect(fieldNamed(/^Maximum concurrent calls/).value).toBe('8')
    // As this gateway's environment says.
    await waitFor(() => expect(fieldNamed(/^Time until a stream begins/).placeholder).toBe('45'))
    await page.user.clear(fieldNamed(/^Maximum concurrent calls/))
    expect(fieldNamed(/^Extra settings/).value).toBe('')
    await page.paste(/^Extra settings/, '{"a":')
    expect(fieldNamed(/^Maximum concurrent calls/).disabled).toBe(true)
  })

  test('invalid JSON is not sent', async () => {
    const page = await open(7)
    await page.user.click(screen.getByRole('button', { name: 'Advanced' }))
    await page.paste(/^Parameter override/, '{"a":')
    await page.save()
    expect(await screen.findByText('The parameter override must be valid JSON')).toBeTruthy()
    expect(page.callsOf('PUT')).toEqual([])
  })

  test('models without a price are counted', async () => {
    const unpriced = {
      model: 'kite-2',
      kind: 'unpriced',
      model_ratio: 0,
      completion_ratio: 0,
      model_price: 0,
      parts: null,
    }
    await open(7, { 'POST /api/channel/prices': () => [unpriced] })
    expect(await screen.findByText('1 model has no price; calls to it are refused.')).toBeTruthy()
  })

  test('a channel that cannot be read shows why', async () => {
    serve({ 'GET /api/channel/types': () => [], 'GET /api/channel/7': () => new Refusal('channel.none', 'It is gone') })
    await renderConsole(<ChannelDrawer id={7} onClose={() => {}} />, { user: { role: 10 } })
    expect(await screen.findByText('It is gone')).toBeTruthy()
  })

  test('vendors that cannot be read show why, and are read again', async () => {
    let isBroken = true
    serve({
      'GET /api/channel/types': () => (isBroken ? new Refusal('server.error', 'It broke') : [aVendor()]),
      'GET /api/channel/defaults': () => defaults,
      'GET /api/group': () => ['default'],
    })
    const { user } = await renderConsole(<ChannelDrawer id="new" onClose={() => {}} />, { user: { role: 10 } })
    await screen.findByText('It broke')
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('combobox', { name: /Channel type/ })).toBeTruthy()
  })

  test('Escape closes only the topmost dialog', async () => {
    const page = await open(7, { 'GET /api/channel/fetch_models/7': () => ['kite-9'] })
    await page.user.click(screen.getByRole('button', { name: 'Fetch models' }))
    const search = await screen.findByRole('textbox', { name: 'Search models' })
    await page.user.click(search)
    await page.user.keyboard('{Escape}')
    await untilGone(() => screen.queryByRole('textbox', { name: 'Search models' }))
    expect(page.closed()).toBe(0)
    await page.user.click(fieldNamed(/^Name/))
    await page.user.keyboard('{Escape}')
    expect(page.closed()).toBe(1)
  })
})
