import { priceRoutes, role, type PriceEntry } from '@tollgate/contract'
import { describe, expect, test } from 'bun:test'

import { anAccount, createTestConsole } from '../../../test/console-client'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import type { Insertable } from 'kysely'

import type { Tables } from '../../platform/store/tables'
import { addUpHours } from '../../../test/sums'
import { createWorld } from '../../../test/world'
import { Envelope } from '@tollgate/contract'
import { priceHandlers } from './prices'

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  const start = async () => {
    const world = await createWorld({ kind })
    const { ctx } = world
    const console = createTestConsole(ctx, priceHandlers)
    await ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
    const admin = await console.signIn((await anAccount(ctx, { username: 'admin', role: role.admin })).id)
    const user = await console.signIn((await anAccount(ctx, { username: 'ann' })).id)
    const request = async (method: string, path: string, body?: unknown, as = admin) => {
      const envelope: Record<string, unknown> & Envelope = Envelope.parse(
        await (await console.send(method, path, { as, body })).json(),
      )
      return envelope
    }
    const addChannel = async (name: string, models: string, model_mapping = '') => {
      const row = { type: 1, name, key_sealed: ctx.seal.seal('sk-x'), models, model_mapping, created_time: 1 }
      const { id } = await ctx.database.query
        .insertInto('channels')
        .values(row)
        .returning('id')
        .executeTakeFirstOrThrow()
      await ctx.catalog.rebuild()
      return id
    }
    const list = async (query = '') => {
      const envelope = await request('GET', `/api/prices?${query}`)
      const { items, total } = priceRoutes.listPrices.data?.parse(envelope.data) ?? { items: [], total: 0 }
      return { items, total, names: items.map(({ model }) => model), counts: envelope['counts'] }
    }
    const row = async (model: string) =>
      priceRoutes.getPrice.data?.parse(
        (await request('GET', `/api/prices/model?model=${encodeURIComponent(model)}`)).data,
      )
    const put = (items: Record<string, PriceEntry>) =>
      request('PUT', '/api/prices', { items: Object.entries(items).map(([model, entry]) => ({ model, entry })) })
    const addUsage = (rows: Insertable<Tables['rollups']>[]) =>
      ctx.database.query.insertInto('rollups').values(rows).execute()
    const send = (method: string, path: string) => console.send(method, path, { as: admin })
    return {
      ctx,
      addUsage,
      send,
      user,
      request,
      addChannel,
      list,
      row,
      put,
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    }
  }

  describe(`prices (${kind})`, () => {
    once('a row names the vendor, region, currency and date of a list price that depends on them', async () => {
      await using world = await start()
      const row = {
        type: 17,
        name: 'mainland',
        key_sealed: world.ctx.seal.seal('sk-x'),
        models: 'qwen-plus',
        created_time: 1,
      }
      await world.ctx.database.query.insertInto('channels').values(row).execute()
      await world.ctx.catalog.rebuild()
      expect(await world.row('qwen-plus')).toMatchObject({
        list_source: {
          region: 'cn',
          currency: 'CNY',
          yuan_rate: 7.1,
          yuan_rate_date: '2026-11-28',
          date: '2026-07-02',
        },
      })
      expect(await world.row('gpt-4o')).toMatchObject({ list_source: null })
    })

    once(
      'prices are listed for served and owned models, with the list price, the sale price and the costs',
      async () => {
        await using world = await start()
        const dear = await world.addChannel('dear', 'gpt-4o,alias', '{"alias":"gpt-4o-mini"}')
        const cheap = await world.addChannel('cheap', 'gpt-4o,no-price')
        await world.put({ 'gpt-4o': { prices: { input: 5 } }, 'own-only': { prices: { per_call: 0.1 } } })
        await world.request('PUT', '/api/prices/cost', {
          items: [
            { channel_id: cheap, model: '', factor: 0.5 },
            { channel_id: dear, model: 'gpt-4o', entry: { prices: { input: 4, output: 16 } } },
          ],
        })
        const { names, counts, items } = await world.list()
        expect(names).toEqual(['alias', 'gpt-4o', 'no-price', 'own-only'])
        expect(counts).toEqual({ all: 4, own: 2, default: 1, unpriced: 1, differs: 2 })
        const [alias, own, unknown, perCall] = items
        expect(own).toMatchObject({
          owned_by: 'openai',
          list: { prices: { input: 2.5, output: 10 } },
          own: { entry: { prices: { input: 5 } }, source: 'own', updated_by: 'admin' },
          sale: { prices: { input: 5 }, ratios: { output: 4 } },
          kind: 'tokens',
          mix: 8.75,
          list_mix: 4.375,
          channels: 2,
          cheapest: { channel_id: cheap, kind: 'factor', mix: 2.1875 },
          dearest: { channel_id: dear, kind: 'own', mix: 7 },
          margin: 0.2,
        })
        expect(alias).toMatchObject({ kind: 'tokens', sale: { prices: { input: 0.15 } }, margin: 0 })
        expect(unknown).toMatchObject({ kind: 'unpriced', sale: null, mix: null, margin: null, channels: 1 })
        expect(perCall).toMatchObject({ kind: 'call', mix: 0.1, channels: 0, cheapest: null })
        expect((await world.row('gpt-4o'))?.costs.map(({ channel_id }) => channel_id)).toEqual([cheap, dear])
      },
    )

    test('prices are found by filter and keyword, sorted, and in pages', async () => {
      await using world = await start()
      await world.addChannel('one', 'gpt-4o,gpt-4o-mini,claude-sonnet-4-5,no-price')
      await world.put({ 'gpt-4o': { prices: { input: 2.5 } }, 'gpt-4o-mini': { prices: { input: 9 } } })
      const names = async (query: string) => (await world.list(query)).names
      expect(await names('filter=own')).toEqual(['gpt-4o', 'gpt-4o-mini'])
      expect(await names('filter=differs')).toEqual(['gpt-4o-mini'])
      expect(await names('filter=default')).toEqual(['claude-sonnet-4-5'])
      expect(await names('filter=unpriced')).toEqual(['no-price'])
      expect(await names('keyword=MINI')).toEqual(['gpt-4o-mini'])
      expect(await names('keyword=anthropic')).toEqual(['claude-sonnet-4-5'])
      expect(await names('sort=mix&order=desc')).toEqual(['gpt-4o-mini', 'claude-sonnet-4-5', 'gpt-4o', 'no-price'])
      expect(await names('page_size=2&p=2')).toEqual(['gpt-4o-mini', 'no-price'])
      expect(await names('scope=all&keyword=claude-3-opus-20240229')).toEqual(['claude-3-opus-20240229'])
      await world.put({ 'own-10': { prices: { input: 1 } }, 'own-2': { prices: { input: 1 } } })
      expect(await names('keyword=own-')).toEqual(['own-2', 'own-10'])
      expect((await world.list('keyword=mini')).counts).toMatchObject({ all: 1, own: 1 })
    })

    once('prices set by the operator are in force at once and everywhere, and can be reset to the list', async () => {
      await using world = await start()
      const before = world.ctx.catalog.current
      await world.put({ 'gpt-4o': { prices: { input: 3 }, tiers: [{ above: 1000, prices: { input: 6 } }] } })
      const { prices, channels } = world.ctx.catalog.current
      expect(prices.book.own('gpt-4o')).toEqual({
        prices: { input: 3 },
        tiers: [{ above: 1000, prices: { input: 6 } }],
      })
      expect(channels).toBe(before.channels)
      expect(before.prices.book.own('gpt-4o')).toBeNull()
      const news = await world.ctx.database.query.selectFrom('changes').select('topic').execute()
      expect(news.map(({ topic }) => topic)).toContain('prices')
      expect((await world.request('DELETE', '/api/prices', { models: ['gpt-4o', 'never-was'] })).data).toBe(1)
      expect(world.ctx.catalog.current.prices.book.own('gpt-4o')).toBeNull()
      expect((await world.row('gpt-4o'))?.own).toBeNull()
    })

    once('prices are changed in bulk by a factor on the list or on the current price, after a preview', async () => {
      await using world = await start()
      await world.addChannel('one', 'gpt-4o,gpt-4o-mini,no-price')
      await world.put({ 'gpt-4o': { prices: { input: 5 }, ratios: { output: 3 } } })
      const bulk = async (body: object) => {
        const envelope = await world.request('POST', '/api/prices/bulk', { preview: false, factor: 1.2, ...body })
        return priceRoutes.bulkPrices.data?.parse(envelope.data)
      }
      const previewed = await bulk({ base: 'list', preview: true })
      expect(previewed).toMatchObject({ total: 2, skipped: ['no-price'] })
      expect(previewed?.changes.map(({ model, before_mix, after_mix }) => [model, before_mix, after_mix])).toEqual([
        ['gpt-4o', 7.5, 5.25],
        ['gpt-4o-mini', 0.2625, 0.315],
      ])
      expect((await world.row('gpt-4o-mini'))?.own).toBeNull()
      await bulk({ base: 'current', models: ['gpt-4o'] })
      expect((await world.row('gpt-4o'))?.own?.entry.prices).toEqual({ input: 6, output: 18, cache_read: 3 })
      await bulk({ base: 'list', select: { keyword: 'mini' } })
      expect((await world.row('gpt-4o-mini'))?.sale?.prices).toMatchObject({ input: 0.18, output: 0.72 })
      await bulk({ base: 'current', models: ['gpt-4o'], classes: ['output'], factor: 2 })
      expect((await world.row('gpt-4o'))?.own?.entry.prices).toMatchObject({ input: 6, output: 36 })
    })

    once('prices are changed in bulk by a factor on the highest cost, or set outright', async () => {
      await using world = await start()
      const dear = await world.addChannel('dear', 'gpt-4o,no-price')
      await world.addChannel('cheap', 'gpt-4o,gpt-4o-mini')
      await world.put({ 'gpt-4o': { prices: { input: 5 }, ratios: { output: 3, cache_read: 0.1 } } })
      await world.request('PUT', '/api/prices/cost', {
        items: [
          { channel_id: dear, model: '', factor: 2 },
          { channel_id: dear, model: 'no-price', entry: { prices: { input: 1, output: 3 } } },
        ],
      })
      const bulk = (body: object) => world.request('POST', '/api/prices/bulk', { preview: false, ...body })
      await bulk({ base: 'cost', factor: 1.25, select: {} })
      const own = async (model: string) => (await world.row(model))?.own?.entry
      expect((await own('gpt-4o'))?.prices).toMatchObject({ input: 6.25, output: 25 })
      expect((await own('gpt-4o-mini'))?.prices).toMatchObject({ input: 0.1875, output: 0.75 })
      expect((await own('no-price'))?.prices).toMatchObject({ input: 1.25, output: 3.75 })
      expect((await world.row('gpt-4o'))?.margin).toBe(0.2)
      await world.put({ 'gpt-4o': { prices: { input: 5 }, ratios: { output: 3, cache_read: 0.1 } } })
      await bulk({ set: { output: 7 }, models: ['gpt-4o'] })
      expect(await own('gpt-4o')).toEqual({ prices: { input: 5, output: 7 }, ratios: { cache_read: 0.1 } })
      expect((await bulk({ base: 'list', models: ['gpt-4o'] })).success).toBe(false)
      expect((await bulk({ base: 'list', factor: 2, set: { output: 1 }, models: ['gpt-4o'] })).success).toBe(false)
    })

    test('prices are found by maker and billing kind, and sorted by margin and by the spend of 30 days', async () => {
      await using world = await start()
      const id = await world.addChannel('one', 'gpt-4o,gpt-4o-mini,claude-sonnet-4-5,no-price')
      await world.put({ 'gpt-4o': { prices: { input: 5 } }, 'no-price': { prices: { per_call: 1 } } })
      const now = Math.floor(world.ctx.clock.seconds() / 3600) * 3600
      const used = { user_id: 1, token_name: '', group: 'default', channel_id: id, count: 1, errors: 0 }
      const sums = { ...used, prompt_tokens: 0, completion_tokens: 0, use_time: 0 }
      await world.addUsage([
        { ...sums, model_name: 'gpt-4o-mini', hour: now, quota: 7 },
        { ...sums, model_name: 'gpt-4o-mini', hour: now - 20 * 86_400, quota: 5 },
        { ...sums, model_name: 'gpt-4o', hour: now - 31 * 86_400, quota: 900 },
      ])
      // Some hours are added up by model already, others are not.
      await addUpHours(world.ctx.database, now - 10 * 86_400)
      const names = async (query: string) => (await world.list(query)).names
      expect(await names('vendor=anthropic')).toEqual(['claude-sonnet-4-5'])
      expect(await names('kind=call')).toEqual(['no-price'])
      expect((await world.list('vendor=openai')).counts).toMatchObject({ all: 2, own: 1 })
      expect(await names('sort=margin&order=desc')).toEqual(['gpt-4o', 'claude-sonnet-4-5', 'gpt-4o-mini', 'no-price'])
      const bySpend = await world.list('sort=spend&order=desc')
      expect(bySpend.items.slice(0, 2).map(({ model, spend }) => [model, spend])).toEqual([
        ['gpt-4o-mini', 12],
        ['claude-sonnet-4-5', 0],
      ])
      const envelope = await world.request('GET', '/api/prices')
      expect(envelope['vendors']).toEqual({ openai: 'OpenAI', anthropic: 'Anthropic' })
    })

    once('costs at channels are listed, replaced and removed; a channel must exist', async () => {
      await using world = await start()
      const id = await world.addChannel('one', 'gpt-4o')
      const entry = { prices: { input: 1 } }
      const set = (items: object[], remove?: object[]) => world.request('PUT', '/api/prices/cost', { items, remove })
      const costs = async () =>
        priceRoutes.listCosts.data
          ?.parse((await world.request('GET', `/api/prices/cost?channel_id=${id}`)).data)
          .items.map((row) => [row.model, row.factor, row.entry, row.channel_name])
      expect((await set([{ channel_id: id + 1, model: 'gpt-4o', entry }])).code).toBe('channel.none')
      await set([{ channel_id: id, model: '', factor: 0.8 }])
      await set([
        { channel_id: id, model: '', factor: 0.7 },
        { channel_id: id, model: 'gpt-4o', entry },
      ])
      expect(await costs()).toEqual([
        ['', 0.7, null, 'one'],
        ['gpt-4o', null, entry, 'one'],
      ])
      expect((await world.request('DELETE', '/api/prices/cost', { items: [{ channel_id: id, model: '' }] })).data).toBe(
        1,
      )
      expect(await costs()).toHaveLength(1)
      const ofModel = { channel_id: id, model: 'gpt-4o' }
      expect((await set([{ channel_id: id + 1, model: '', factor: 2 }], [ofModel])).code).toBe('channel.none')
      expect(await costs()).toEqual([['gpt-4o', null, entry, 'one']])
      await set([{ channel_id: id, model: '', factor: 0.9 }], [ofModel, { channel_id: id, model: '' }])
      expect(await costs()).toEqual([['', 0.9, null, 'one']])
      expect((await set([])).success).toBe(false)
    })

    once(
      'prices are exported and imported, all or none, after a preview of the changes and the faulty lines',
      async () => {
        await using world = await start()
        const id = await world.addChannel('one', 'gpt-4o,gpt-4o-mini')
        const entry: PriceEntry = { prices: { input: 5 }, ratios: { output: 3 }, tiers: [] }
        await world.put({ 'gpt-4o': entry })
        const cost = { channel_id: id, model: '', factor: 0.8 }
        await world.request('PUT', '/api/prices/cost', { items: [cost] })
        const file = async (path: string) => (await world.send('GET', `/api/prices/export/${path}`)).text()
        const json = await file('json?costs=true')
        expect(JSON.parse(json)).toEqual({ prices: [{ model: 'gpt-4o', entry }], costs: [cost] })
        const csv = await file('csv?keyword=4o')
        expect(
          csv
            .split('\r\n')
            .slice(1, 3)
            .map((line) => line.split(',').slice(0, 2)),
        ).toEqual([
          ['gpt-4o', 'prices'],
          ['gpt-4o', 'no_tiers'],
        ])
        const load = async (format: string, text: string, preview = false) =>
          priceRoutes.importPrices.data?.parse(
            (await world.request('POST', '/api/prices/import', { format, text, preview })).data,
          )
        expect(await load('json', json)).toEqual({ total: 0, changes: [], errors: [] })
        await world.request('DELETE', '/api/prices', { models: ['gpt-4o'] })
        expect(await load('json', json, true)).toMatchObject({
          total: 1,
          changes: [{ model: 'gpt-4o', after_mix: 7.5 }],
        })
        expect((await world.row('gpt-4o'))?.own).toBeNull()
        await load('json', json)
        expect((await world.row('gpt-4o'))?.own?.entry).toEqual(entry)
        const faulty = await load('csv', 'model,input\ngpt-4o-mini,1\ngpt-4o,-1')
        expect(faulty?.errors).toMatchObject([{ line: 3, model: 'gpt-4o' }])
        expect((await world.row('gpt-4o-mini'))?.own).toBeNull()
        expect((await load('json', '{"costs":[{"channel_id":999,"model":"","factor":1}]}'))?.errors).toHaveLength(1)
        expect((await load('json', 'no json'))?.errors).toHaveLength(1)
        await load('csv', 'model,input\ngpt-4o-mini,1')
        expect((await world.row('gpt-4o-mini'))?.own?.entry).toEqual({ prices: { input: 1 } })
      },
    )

    once('an invalid entry is refused, and prices can only be written with the grant for it', async () => {
      await using world = await start()
      expect((await world.put({ m: { prices: { input: -1 } } })).success).toBe(false)
      const bad = { items: [{ channel_id: 1, model: 'm', factor: 0.8 }] }
      expect((await world.request('PUT', '/api/prices/cost', bad)).success).toBe(false)
      expect((await world.request('GET', '/api/prices', undefined, world.user)).code).toBe('auth.forbidden')
    })

    test('a row that this release cannot read counts as missing', async () => {
      await using world = await start()
      const row = { channel_id: 0, updated_at: 1, updated_by: '', source: 'own' as const }
      await world.ctx.database.query
        .insertInto('price_entries')
        .values([
          { ...row, model: 'gpt-4o', entry: '{"later":1}' },
          { ...row, model: 'gpt-4', entry: 'no json' },
        ])
        .execute()
      await world.ctx.catalog.rebuild()
      expect(await world.row('gpt-4o')).toMatchObject({ own: null, sale: { prices: { input: 2.5 } } })
      expect((await world.row('gpt-4'))?.own).toBeNull()
    })
  })
}
