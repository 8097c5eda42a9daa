import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { priceSyncRoutes, role, type Client, type PriceEntry } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { liteLlmList } from '../../../test/prices'
import { createWorld, type World } from '../../../test/world'
import { lockPrices, storePrices } from '../../billing/pricing/price-store'
import { syncPrices } from '../../app/jobs/job-table'
import { yuanRateDay } from '../../channels/price-sync/yuan-rate'
import { channelHandlers } from '../channels/channels'
import { priceSyncHandlers } from './price-sync'

setDefaultTimeout(120_000)

/** A row of a gateway’s prices. */
const sold = '{"model_name":"acme-1","quota_type":0,"model_ratio":1}'
const liteLlmUrl = 'https://lists.invalid/litellm.json'
const modelsDevUrl = 'https://lists.invalid/models-dev.json'
const rateUrl = 'https://lists.invalid/usd-cny.json'
const day = 86_400_000

describe.each(kinds)('price sync (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let client: Client
  let now: number
  let lists: Map<string, unknown>
  let pricing: unknown
  /** The headers of the requests to the gateway behind the channel. */
  let readings: Headers[]
  let server: ReturnType<typeof Bun.serve>

  beforeEach(async () => {
    now = Date.parse('2026-11-01T12:00:00Z')
    world = await createWorld({ kind, clock: createClock(() => now) })
    lists = new Map<string, unknown>([[modelsDevUrl, { openai: { other: { cost: { input: 1, output: 2 } } } }]])
    pricing = null
    readings = []
    // A worker that stands for every address of the internet, and the gateway behind a channel.
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        if (request.method === 'GET') {
          readings.push(request.headers)
          const { pathname } = new URL(request.url)
          if (pathname.startsWith('/redirect')) return Response.redirect(`${server.url.href}api/pricing`)
          if (pathname !== '/api/pricing' || !pricing) return new Response('no', { status: 404 })
          return typeof pricing === 'string' ? new Response(pricing) : Response.json(pricing)
        }
        const { url } = (await request.json()) as { url: string }
        const list = lists.get(url)
        return list === undefined ? new Response('no', { status: 503 }) : Response.json(list)
      },
    })
    await setOptionsIn(world.ctx, {
      WorkerUrl: server.url.href.replace(/\/$/, ''),
      PriceSyncLiteLlmUrl: liteLlmUrl,
      PriceSyncModelsDevUrl: modelsDevUrl,
      PriceSyncYuanRateUrl: rateUrl,
    })
    site = createTestConsole(world.ctx, [...priceSyncHandlers, ...channelHandlers])
    const { id } = await anAccount(world.ctx, { role: role.root })
    client = site.client(await site.signIn(id))
    await site.send('POST', '/api/channel/', {
      as: await site.signIn(id),
      body: {
        type: 1,
        name: 'upstream',
        key: 'sk-x',
        base_url: server.url.href.replace(/\/$/, ''),
        models: 'acme-1,acme-mapped',
        model_mapping: '{"acme-mapped":"acme-2"}',
        group: 'default',
      },
    })
  })
  afterEach(async () => {
    await server.stop(true)
    await world[Symbol.asyncDispose]()
  })

  const { signal } = new AbortController()
  const run = async () => {
    await client.call(priceSyncRoutes.runPriceSync)
    await syncPrices(world.ctx).run(signal)
  }
  const state = () => client.call(priceSyncRoutes.priceSync)
  const proposals = async (state: priceSyncRoutes.ProposalState = 'waiting', query: object = {}) =>
    (await client.call(priceSyncRoutes.listProposals, { query: { state, page_size: 100, ...query } })).items
  const summarizeProposals = async (state: priceSyncRoutes.ProposalState = 'waiting') =>
    (await proposals(state)).map(({ model, field, before, after, reason }) => [model, field, before, after, reason])
  const decide = (decision: 'approve' | 'reject', ids?: number[]) =>
    client.call(priceSyncRoutes.decideProposals, { body: ids ? { decision, ids } : { decision, filter: {} } })
  const own = (model: string) => world.ctx.catalog.current.prices.book.own(model)
  const setByHand = async (model: string, entry: PriceEntry) => {
    await world.ctx.database.query.transaction().execute(async (transaction) => {
      await lockPrices(world.ctx, transaction)
      await storePrices(world.ctx, [{ channelId: 0, model, entry }], { source: 'own', username: 'root' }, transaction)
    })
    await world.ctx.changes.deliver()
  }
  const channelId = () => [...world.ctx.catalog.current.channels.keys()][0] ?? 0

  once('a new price waits, takes effect when it is approved, and is in the audit log', async () => {
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 4], 'acme-3': [9, 9] }))
    await run()
    expect(await summarizeProposals()).toEqual([
      ['acme-1', 'input', null, 1, 'new'],
      ['acme-1', 'output', null, 4, 'new'],
    ])
    expect(own('acme-1')).toBeNull()
    expect(await decide('approve')).toEqual({ decided: 2, outdated: 0 })
    expect(own('acme-1')?.prices).toEqual({ input: 1, output: 4 })
    expect(await summarizeProposals()).toEqual([])
    expect((await state()).counts).toMatchObject({ waiting: 0, applied: 2 })
    const row = await world.ctx.database.query
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('action', '=', 'price.decide')
      .executeTakeFirstOrThrow()
    expect(row.after).toContain('acme-1 input')
    await run()
    expect(await summarizeProposals()).toEqual([])
  })

  const addChannel = async (type: number, models: string) => {
    const { ctx } = world
    const row = { type, name: 'vendor', key_sealed: ctx.seal.seal('sk-x'), models, created_time: 1 }
    await ctx.database.query.insertInto('channels').values(row).execute()
    await ctx.catalog.rebuild()
  }

  once('a price of the mainland is not compared with the international list', async () => {
    await addChannel(17, 'qwen-plus')
    lists.set(liteLlmUrl, liteLlmList({ 'qwen-plus': [0.4, 1.2] }))
    await run()
    expect(await summarizeProposals()).toEqual([])
  })

  once('a vendor’s price of low confidence waits for an operator, in dollars at the rate of the option', async () => {
    await addChannel(45, 'Doubao-pro-128k')
    await setOptionsIn(world.ctx, { ListPriceYuanRate: '8' })
    lists.set(liteLlmUrl, liteLlmList({ other: [1, 2] }))
    await run()
    expect(await summarizeProposals()).toEqual([
      ['Doubao-pro-128k', 'input', null, 0.625, 'new'],
      ['Doubao-pro-128k', 'output', null, 1.125, 'new'],
    ])
    expect(own('Doubao-pro-128k')).toBeNull()
    await decide('approve')
    expect(own('Doubao-pro-128k')?.prices).toEqual({ input: 0.625, output: 1.125 })
  })

  once.each([
    ['nested deeply', () => `{"data":[${sold}],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['of more parts than any list has', () => `{"data":[${sold},${'{},'.repeat(2_100_000)}{}]}`],
    ['of more models than a gateway sells', () => `{"data":[${`${sold},`.repeat(20_000)}${sold}]}`],
  ])('prices %s are not read, and the other sources are', async (_what, text) => {
    pricing = text()
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 4] }))
    await client.call(priceSyncRoutes.setPriceSource, { params: { id: channelId() }, body: { use: 'sale' } })
    await run()
    const { sources } = await state()
    expect(sources.find(({ channel_id: id }) => id === channelId())?.failure).toBe('unsupported')
    expect(await summarizeProposals()).toHaveLength(2)
  })

  once.each([
    ['the metadata service of a cloud', () => 'http://169.254.169.254'],
    ['an address that redirects', () => `${server.url.href}redirect`],
  ])('the page of prices at %s is not read', async (_what, address) => {
    pricing = { data: [{ model_name: 'acme-1', quota_type: 0, model_ratio: 1 }] }
    const columns = { base_url: address() }
    await world.ctx.database.query.updateTable('channels').set(columns).where('id', '=', channelId()).execute()
    await world.ctx.catalog.rebuild()
    await client.call(priceSyncRoutes.setPriceSource, { params: { id: channelId() }, body: { use: 'sale' } })
    await run()
    const { sources } = await state()
    expect(['unreachable', 'status']).toContain(sources.find(({ channel_id: id }) => id === channelId())?.failure ?? '')
    expect(await summarizeProposals()).toEqual([])
  })

  const yuanRate = () => world.ctx.catalog.current.options.ListPriceYuanRate
  const rateFailure = async () => (await state()).sources.find(({ kind: one }) => one === 'rate')?.failure

  once(
    'the rate of the yuan is read with the lists and counts from then on, with its day and its history',
    async () => {
      const { query } = world.ctx.database
      expect(await yuanRateDay(query)).toBe('2026-11-28')
      lists.set(rateUrl, { amount: 1, base: 'USD', date: '2026-11-01', rates: { CNY: 7.02 } })
      await run()
      expect([yuanRate(), await rateFailure(), await yuanRateDay(query)]).toEqual([7.02, '', '2026-11-01'])
      const changes = await query.selectFrom('option_changes').select(['key', 'before', 'after', 'user_id']).execute()
      expect(changes).toEqual([{ key: 'ListPriceYuanRate', before: '7.1', after: '7.02', user_id: 0 }])
      now += 2 * day
      await run()
      expect(await yuanRateDay(query)).toBe('2026-11-03')
    },
  )

  once.each<[string, object | undefined, string]>([
    ['of another currency', { base: 'EUR', rates: { CNY: 7.2 } }, 'malformed'],
    ['of nothing', { base: 'USD', rates: { CNY: 0 } }, 'malformed'],
    ['that moved by more than a tenth', { base: 'USD', rates: { CNY: 0.71 } }, 'implausible'],
    ['that cannot be read', undefined, 'status'],
  ])('a rate of the yuan %s changes nothing, and says why', async (_what, rateResponse, failure) => {
    if (rateResponse) lists.set(rateUrl, rateResponse)
    await run()
    expect<unknown[]>([yuanRate(), await rateFailure()]).toEqual([7.1, failure])
  })

  once('a rate of the yuan without an address is the operator’s own', async () => {
    await setOptionsIn(world.ctx, { PriceSyncYuanRateUrl: '', ListPriceYuanRate: '7.3' })
    lists.set(rateUrl, { base: 'USD', rates: { CNY: 7.02 } })
    await run()
    expect([yuanRate(), await rateFailure()]).toEqual([7.3, ''])
  })

  once('the lists are read from public addresses only', async () => {
    await setOptionsIn(world.ctx, { WorkerUrl: '' })
    for (const address of [
      'https://169.254.169.254/x',
      'https://localhost/x',
      'https://[::1]/x',
      'https://10.0.0.1/x',
    ]) {
      await setOptionsIn(world.ctx, { PriceSyncLiteLlmUrl: address, PriceSyncModelsDevUrl: '' })
      await run()
      const { sources } = await state()
      expect([address, sources.find(({ name }) => name === 'litellm')?.failure]).toEqual([address, 'address'])
    }
  })

  test('the key of a channel is not sent to the page of its gateway’s prices', async () => {
    pricing = { data: [{ model_name: 'acme-1', quota_type: 0, model_ratio: 1 }] }
    await client.call(priceSyncRoutes.setPriceSource, { params: { id: channelId() }, body: { use: 'cost' } })
    await run()
    expect(readings.length).toBeGreaterThan(0)
    for (const headers of readings) expect(JSON.stringify([...headers])).not.toContain('sk-x')
  })

  once('small rises and falls apply automatically where the operator wants it, larger rises wait', async () => {
    await setOptionsIn(world.ctx, { PriceSyncMostRise: '5', PriceSyncAppliesFalls: 'true' })
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 4] }))
    await run()
    await decide('approve')
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [0.5, 4.2] }))
    await run()
    expect(own('acme-1')?.prices).toMatchObject({ input: 0.5, output: 4.2 })
    expect(await summarizeProposals('applied')).toEqual([
      ['acme-1', 'input', 1, 0.5, 'fall'],
      ['acme-1', 'output', 4, 4.2, 'rise'],
    ])
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [0.5, 5] }))
    await run()
    expect(own('acme-1')?.prices).toMatchObject({ output: 4.2 })
    expect(await proposals()).toMatchObject([{ field: 'output', before: 4.2, after: 5, percent: 19.0476 }])
  })

  test('a rejected proposal stays rejected for the same figures, also after they were gone, and may be approved later', async () => {
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 1] }))
    await run()
    await decide('approve')
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [2, 1] }))
    await run()
    await decide('reject')
    await run()
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 1] }))
    await run()
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [2, 1] }))
    await run()
    expect(await summarizeProposals()).toEqual([])
    expect(await summarizeProposals('rejected')).toEqual([['acme-1', 'input', 1, 2, 'rise']])
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [3, 1] }))
    await run()
    const [found] = await proposals()
    expect(found).toMatchObject({ field: 'input', after: 3 })
    await decide('reject', [found?.id ?? 0])
    expect(await decide('approve', [found?.id ?? 0])).toEqual({ decided: 1, outdated: 0 })
    expect(own('acme-1')?.prices.input).toBe(3)
  })

  test('changes of prices set by hand wait for approval, and outdated proposals change nothing', async () => {
    await setOptionsIn(world.ctx, { PriceSyncMostRise: '1000', PriceSyncAppliesFalls: 'true' })
    await setByHand('acme-1', { prices: { input: 10, output: 40 } })
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 400] }))
    await run()
    expect(await summarizeProposals()).toEqual([
      ['acme-1', 'input', 10, 1, 'own'],
      ['acme-1', 'output', 40, 400, 'own'],
    ])
    await setByHand('acme-1', { prices: { input: 10, output: 50 } })
    expect(await decide('approve')).toEqual({ decided: 1, outdated: 1 })
    expect(own('acme-1')?.prices).toMatchObject({ input: 1, output: 50 })
  })

  once('what a sync never does is refused with its reason', async () => {
    await setByHand('acme-1', { prices: { per_call: 0.1 } })
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 1], 'acme-mapped': [1, 2] }))
    await run()
    await decide('approve')
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 1], 'acme-mapped': [1, 0] }))
    await run()
    expect(await summarizeProposals('refused')).toEqual([
      ['acme-1', 'kind', 'per_call', 'tokens', 'kind'],
      ['acme-mapped', 'output', 2, 0, 'zero'],
    ])
    expect(await summarizeProposals()).toEqual([])
    expect(own('acme-1')?.prices).toEqual({ per_call: 0.1 })
    expect(own('acme-mapped')?.prices).toMatchObject({ input: 1, output: 2 })
  })

  once('a shipped price that no list has any more is refused as absent, and stays', async () => {
    const shipped = 'gpt-5'
    await setByHand(shipped, { prices: { input: 7, output: 8 } })
    await setByHand('acme-1', { prices: { input: 1, output: 4 } })
    lists.set(liteLlmUrl, liteLlmList({ 'acme-3': [9, 9] }))
    await run()
    // What neither the catalog nor a list has is not looked for.
    expect(await summarizeProposals('refused')).toEqual([[shipped, '', null, null, 'absent']])
    expect(await summarizeProposals()).toEqual([])
    expect(own(shipped)?.prices).toEqual({ input: 7, output: 8 })
    lists.set(liteLlmUrl, liteLlmList({ [shipped]: [7, 8] }))
    await run()
    expect(await summarizeProposals('refused')).toEqual([])
  })

  once('lists that cannot be read change nothing, and say why', async () => {
    const readLists = async () => (await state()).sources.filter(({ kind: one }) => one === 'list')
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 1] }))
    await run()
    const before = await summarizeProposals()
    lists.delete(liteLlmUrl)
    await run()
    expect(await readLists()).toMatchObject([
      { name: 'litellm', failure: 'status', status: 503, models: 1, last_success_at: now / 1000 },
      { name: 'models.dev', failure: '' },
    ])
    expect(await summarizeProposals()).toEqual(before)
    await setOptionsIn(world.ctx, { PriceSyncLiteLlmUrl: 'https://10.0.0.1/list.json', PriceSyncModelsDevUrl: '' })
    await run()
    expect(await readLists()).toMatchObject([{ failure: 'address' }, { url: '' }])
    lists.set(liteLlmUrl, ['not a list'])
    await setOptionsIn(world.ctx, { PriceSyncLiteLlmUrl: liteLlmUrl })
    await run()
    expect(await readLists()).toMatchObject([{ failure: 'malformed' }, { url: '' }])
    expect(await summarizeProposals()).toEqual(before)
  })

  once('sources are read as often as the operator wants, or not at all', async () => {
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1, 1] }))
    await syncPrices(world.ctx).run(signal)
    expect(await state()).toMatchObject({ schedule: 'off', last_run_at: null, next_run_at: null })
    await setOptionsIn(world.ctx, { PriceSyncSchedule: 'daily' })
    await syncPrices(world.ctx).run(signal)
    const first = now / 1000
    expect(await state()).toMatchObject({ is_running: false, last_run_at: first, next_run_at: first + day / 1000 })
    now += day - 1000
    await syncPrices(world.ctx).run(signal)
    expect((await state()).last_run_at).toBe(first)
    now += 1000
    await syncPrices(world.ctx).run(signal)
    expect((await state()).last_run_at).toBe(first + day / 1000)
    await client.call(priceSyncRoutes.runPriceSync)
    expect((await state()).is_running).toBe(true)
  })

  test('the gateway behind a channel provides the costs of what the channel serves, by its own names', async () => {
    lists.set(liteLlmUrl, liteLlmList({ other: [1, 1] }))
    pricing = {
      success: true,
      data: [
        { model_name: 'acme-1', quota_type: 1, model_price: 0.2 },
        { model_name: 'acme-2', quota_type: 0, model_ratio: 2, completion_ratio: 3 },
        { model_name: 'unserved', quota_type: 0, model_ratio: 2, completion_ratio: 3 },
      ],
      group_ratio: { vip: 0.5 },
    }
    const id = channelId()
    await client.call(priceSyncRoutes.setPriceSource, { params: { id }, body: { use: 'cost', group: 'vip' } })
    await run()
    expect(await proposals()).toMatchObject([
      { channel_id: id, model: 'acme-1', field: 'per_call', after: 0.1, source_name: 'upstream' },
      { channel_id: id, model: 'acme-2', field: 'input', after: 2 },
      { channel_id: id, model: 'acme-2', field: 'output', after: 6 },
    ])
    await decide('approve')
    expect(world.ctx.catalog.current.prices.book.cost(id, 'acme-2')?.prices).toEqual({ input: 2, output: 6 })
    expect(own('acme-mapped')).toBeNull()

    await client.call(priceSyncRoutes.setPriceSource, { params: { id }, body: { use: 'sale', group: 'default' } })
    await run()
    expect((await proposals()).map(({ channel_id, model }) => [channel_id, model])).toEqual([
      [0, 'acme-1'],
      [0, 'acme-mapped'],
      [0, 'acme-mapped'],
    ])
    pricing = null
    await run()
    expect((await state()).sources.at(-1)).toMatchObject({ name: `channel:${id}`, failure: 'unsupported' })
    await client.call(priceSyncRoutes.setPriceSource, { params: { id }, body: { use: 'off' } })
    expect((await state()).sources.map(({ name }) => name)).not.toContain(`channel:${id}`)
    expect(await proposals()).toEqual([])
  })

  test('proposals are found by model and source, and the largest changes first', async () => {
    await setByHand('acme-1', { prices: { input: 1, output: 10 } })
    lists.set(liteLlmUrl, liteLlmList({ 'acme-1': [1.5, 1], 'acme-mapped': [1, 1] }))
    await run()
    const fields = async (query: object) =>
      (await proposals('waiting', query)).map(({ model, field }) => `${model} ${field}`)
    expect(await fields({ order: 'change' })).toEqual([
      'acme-1 output',
      'acme-1 input',
      'acme-mapped input',
      'acme-mapped output',
    ])
    expect(await fields({ keyword: 'MAPPED', source: 'lists' })).toHaveLength(2)
    expect(await fields({ source: 'channel:1' })).toEqual([])
    const all = await client.call(priceSyncRoutes.decideProposals, {
      body: { decision: 'reject', filter: { keyword: 'mapped' } },
    })
    expect(all).toEqual({ decided: 2, outdated: 0 })
    expect(await fields({})).toEqual(['acme-1 input', 'acme-1 output'])
  })
})
