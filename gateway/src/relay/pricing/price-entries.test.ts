import { scheduleAt } from '@tollgate/contract/price-formula'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { priceClasses, ratioClasses, type PriceEntry } from '@tollgate/contract'
import { noUsage } from '@tollgate/dialects'
import * as fc from 'fast-check'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { amountsOf } from '../../billing/pricing/amounts'
import { oracleCost } from '../../billing/pricing/exact-oracle'
import { lockPrices, storePrices, type PriceWrite } from '../../billing/pricing/price-store'
import { WallClock } from '../../../test/fake-time'

const clock = new WallClock(Date.parse('2026-11-23T15:59:00Z'))
let world: RelayWorld
let channel: number
beforeAll(async () => {
  world = await createRelayWorld({ clock })
  channel = await world.addChannel({ type: 14, models: 'claude-opus-4-6,kite-1' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

async function setPrices(...writes: PriceWrite[]) {
  const { ctx } = world
  await ctx.database.query.transaction().execute(async (transaction) => {
    await lockPrices(ctx, transaction)
    await storePrices(ctx, writes, { source: 'own', username: 'test' }, transaction)
  })
  await ctx.changes.deliver()
}
const setEntry = (entry: PriceEntry, model = 'gpt-4o') => setPrices({ channelId: 0, model, entry })

async function rowOf(response: Response | Promise<Response>) {
  await (await response).text()
  const row = (await world.logs()).at(-1)
  return { quota: row?.quota, other: JSON.parse(row?.other ?? '{}') as Record<string, unknown> }
}

describe('a call charged by its price entry', () => {
  const entry: PriceEntry = {
    prices: { input: 2, output: 8, reasoning: 12 },
    tiers: [{ above: 1000, prices: { input: 4, output: 12 } }],
    modes: [{ name: 'in the US', match: { region: 'us' }, factor: 1.5 }],
    schedules: [],
  }

  test('a call is charged by the tier of its input, and the row names the tier with the price', async () => {
    await setEntry(entry)
    world.simulator.next({ promptTokens: 1000, tokens: 10 })
    expect((await rowOf(world.chat())).other).not.toHaveProperty('price_tier')
    world.simulator.next({ promptTokens: 1001, tokens: 10 })
    const { quota, other } = await rowOf(world.chat({ stream: true }))
    expect(quota).toBe(1001 * 2 + 10 * 6)
    expect(other).toMatchObject({ price_tier: 1000, model_ratio: 2, completion_ratio: 3 })
    expect(other['prices']).toMatchObject({ input: 4, output: 12 })
  })

  test('a call is charged for the region that the response reports', async () => {
    await setEntry(entry, 'claude-opus-4-6')
    const usage = { input_tokens: 100, output_tokens: 10, inference_geo: 'us', service_tier: 'priority' }
    world.simulator.next({ usageOverride: usage })
    const body = { model: 'claude-opus-4-6', max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }
    const { quota, other } = await rowOf(world.post('/v1/messages', body))
    expect(quota).toBe((100 + 40) * 1.5)
    expect(other).toMatchObject({ price_mode: 'in the US', service_tier_ratio: 1.5 })
  })

  test('a call is charged for the hour in which it began, to the minute of the time zone', async () => {
    const hours = { name: 'night', zone: 'Asia/Shanghai', days: [2], from: '00:00', to: '06:00', factor: 0.5 }
    await setEntry({ ...entry, schedules: [hours] })
    const price = async (at: string) => {
      clock.moveTo(Date.parse(at))
      world.simulator.next({ promptTokens: 100, tokens: 10 })
      return (await rowOf(world.chat())).quota
    }
    // Midnight of Tuesday in Shanghai.
    expect(await price('2026-11-23T15:59:59.999Z')).toBe(140)
    expect(await price('2026-11-23T16:00:00Z')).toBe(70)
    expect(await price('2026-11-23T22:00:00Z')).toBe(140)
    const summer = { ...hours, zone: 'Europe/Berlin', days: [7], from: '02:00', to: '03:00' }
    await setEntry({ ...entry, schedules: [summer] })
    // Clocks skip 02:00 to 03:00 in March, and run through this hour twice in October.
    expect(await price('2026-03-29T01:30:00Z')).toBe(140)
    expect(await price('2026-10-25T00:30:00Z')).toBe(70)
    expect(await price('2026-10-25T01:30:00Z')).toBe(70)
    expect(await price('2026-10-25T02:30:00Z')).toBe(140)
  })

  test('a call is charged by the entry it was quoted, whatever changes while it runs', async () => {
    clock.moveTo(Date.parse('2026-11-23T15:59:59Z'))
    const night = { name: 'night', zone: 'Asia/Shanghai', days: [2], from: '00:00', to: '06:00', factor: 0.5 }
    await setEntry({ ...entry, schedules: [night] })
    world.simulator.next({ promptTokens: 100, tokens: 10, ttftMs: 50 })
    const pendingResponse = world.chat({ stream: true })
    while (world.simulator.requests.length === 0) await Bun.sleep(1)
    clock.jump(2000)
    await setEntry({ prices: { input: 100 } })
    expect((await rowOf(pendingResponse)).quota).toBe(140)
    world.simulator.next({ promptTokens: 100, tokens: 10 })
    expect((await rowOf(world.chat())).quota).toBe(7000)
  })

  test('a call is charged the tool prices of the option where the entry has none', async () => {
    await setEntry(entry)
    await world.setOptions({ ToolPrice: '{"web_search":3,"file_search:gpt-4o":4}' })
    world.simulator.next({ promptTokens: 100, tokens: 10 })
    expect((await rowOf(world.chat())).other['prices']).toMatchObject({ web_search: 3, file_search: 4 })
    await setEntry({ prices: { ...entry.prices, web_search: 5 } })
    world.simulator.next({ promptTokens: 100, tokens: 10 })
    expect((await rowOf(world.chat())).other['prices']).toMatchObject({ web_search: 5, file_search: 4 })
    await world.setOptions({ ToolPrice: '' })
  })

  test('a call is charged for the searches that a chat reports, which are held when requested', async () => {
    await setEntry({ prices: { input: 2, output: 2, web_search: 20 } })
    const searched = { server_tool_use: { web_search_requests: 3 } }
    const behaviour = { usageOverride: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, ...searched } }
    for (const stream of [false, true]) {
      world.simulator.next(behaviour)
      const { quota, other } = await rowOf(world.chat({ stream, web_search_options: {} }))
      expect(quota).toBe(110 + 3 * 0.02 * 500_000)
      expect(other).toMatchObject({ web_search_call_count: 3, web_search_price: 20 })
    }
    const key = await world.addToken(await world.addUser(9000))
    expect((await world.chat({ web_search_options: {}, max_tokens: 10 }, { key })).status).toBe(403)
    await (await world.chat({ max_tokens: 10 }, { key })).text()
  })

  test('a call holds a search where a channel maps the model to one that searches for every response', async () => {
    await setEntry({ prices: { input: 2, output: 2, web_search: 20 } }, 'kite-2')
    await world.addChannel({ models: 'kite-2', model_mapping: '{"kite-2":"gpt-4o-search-preview"}' })
    const key = await world.addToken(await world.addUser(9000))
    const searchRequest = { model: 'kite-2', max_tokens: 10 }
    expect((await world.chat(searchRequest, { key })).status).toBe(403)
    expect((await world.chat(searchRequest, { key: await world.addToken(await world.addUser(11_000)) })).status).toBe(
      200,
    )
  })

  test('a call holds the most that images and audio in its prompt may cost, at their own prices', async () => {
    await setEntry({ prices: { input: 2, output: 2, image_in: 4, audio_in: 40 } })
    const url = { type: 'image_url', image_url: { url: 'https://pictures.example/1.png' } }
    const speech = { type: 'input_audio', input_audio: { data: 'A'.repeat(80_000), format: 'mp3' } }
    const status = async (quota: number, ...content: object[]) => {
      const key = await world.addToken(await world.addUser(quota))
      const response = await world.chat({ messages: [{ role: 'user', content }], max_tokens: 10 }, { key })
      await response.text()
      return response.status
    }
    // Eight tiles of an image that the request only references; 30 seconds of speech.
    expect([await status(2 * 1445, url), await status(2 * 1445 + 50, url)]).toEqual([403, 200])
    expect([await status(20 * 300, speech), await status(20 * 300 + 50, speech)]).toEqual([403, 200])
  })

  test('a call holds the most expensive tier that its prompt may reach', async () => {
    await setEntry({ prices: { input: 2, output: 2 }, tiers: [{ above: 150, prices: { input: 200 } }] })
    const messages = [{ role: 'user', content: 'word '.repeat(100) }]
    const key = await world.addToken(await world.addUser(10_000))
    expect((await world.chat({ messages, max_tokens: 10 }, { key })).status).toBe(403)
    const rich = await world.addToken(await world.addUser(100_000))
    await (await world.chat({ messages, max_tokens: 10 }, { key: rich })).text()
  })
})

describe('the row shows an administrator what the channel charged', () => {
  const runCall = async () => {
    world.simulator.next({ promptTokens: 100, tokens: 10 })
    const { quota, other } = await rowOf(world.chat({ model: 'kite-1' }))
    return { quota, info: other['admin_info'] }
  }

  const margin = async () => {
    await world.ctx.ledger.waitUntilApplied()
    return world.ctx.database.query
      .selectFrom('rollups')
      .select(({ fn }) => [fn.sum<number>('sold').as('sold'), fn.sum<number>('vendor_cost').as('cost')])
      .executeTakeFirstOrThrow()
  }

  test('channel cost uses the channel’s entry, its factor, or is not recorded', async () => {
    await setEntry({ prices: { input: 4, output: 16 } }, 'kite-1')
    const before = await margin()
    const unknown = await runCall()
    expect(unknown.quota).toBe(280)
    expect(unknown.info).not.toHaveProperty('cost')
    await setPrices({ channelId: channel, model: 'kite-1', entry: { prices: { input: 3, output: 10 } } })
    expect((await runCall()).info).toMatchObject({
      cost: 200,
      cost_kind: 'own',
      cost_prices: { input: 3, output: 10 },
    })
    // The sums have the calls whose cost is known.
    expect(await margin()).toEqual({ sold: before.sold + 280, cost: before.cost + 200 })
  })

  test('channel cost uses the list price times the channel’s factor', async () => {
    await setEntry({ prices: { input: 2.5 }, tiers: [] })
    const only = await world.addChannel({ models: 'gpt-4o', group: 'apart' })
    await setPrices({ channelId: only, model: '', entry: { factor: 0.8 } })
    const key = await world.addToken(await world.addUser(1_000_000, { group: 'apart' }))
    world.simulator.next({ promptTokens: 100, tokens: 10 })
    const { quota, other } = await rowOf(world.chat({}, { key }))
    expect(quota).toBe(175)
    expect(other['admin_info']).toMatchObject({ cost: 140, cost_kind: 'factor', cost_factor: 0.8 })
  })
})

/** No list knows it, so nothing lies below its entry. */
const model = 'kite-1'

test('any entry and response are charged exactly as rational arithmetic computes', async () => {
  const amount = fc.integer({ min: 0, max: 100_000 }).map((units) => units / 1000)
  const factor = fc.integer({ min: 1, max: 300 }).map((percent) => percent / 100)
  const prices = fc.record(Object.fromEntries(priceClasses.map((name) => [name, amount])), { requiredKeys: [] })
  const ratios = fc.record(Object.fromEntries(ratioClasses.map((name) => [name, amount])), { requiredKeys: [] })
  const tiers = fc.array(fc.record({ above: fc.constantFrom(100, 500), prices }), { maxLength: 1 })
  const mode = (field: 'speed' | 'region', name: string) =>
    fc.record({ name: fc.constant(name), match: fc.constant({ [field]: name }), factor, prices })
  const modes = fc.tuple(mode('speed', 'fast'), mode('region', 'us'))
  const hours = factor.map((value) => {
    const all = { name: 'hours', zone: 'Asia/Kolkata', days: [1, 2, 3, 4, 5, 6, 7] }
    return [{ ...all, from: '08:00', to: '20:00', factor: value }]
  })
  const call = fc.record({
    entry: fc.record({
      prices: prices.map((some) => ({ input: 1, ...some })),
      ratios,
      tiers,
      modes,
      schedules: hours,
    }),
    hour: fc.nat(23),
    asked: fc.constantFrom('fast', undefined),
    told: fc.constantFrom('fast', 'standard', undefined),
    region: fc.constantFrom('us', 'global', undefined),
    prompt: fc.integer({ min: 1, max: 1000 }),
    cached: fc.nat(1000),
    // With none, the output would be estimated.
    completion: fc.integer({ min: 1, max: 200 }),
    stream: fc.boolean(),
  })
  const key = await world.addToken(await world.addUser(1e15))
  await fc.assert(
    fc.asyncProperty(call, async ({ entry, hour, asked, told, region, stream, ...used }) => {
      clock.moveTo(Date.parse('2026-11-23T00:00:00Z') + hour * 3_600_000)
      const sold: PriceEntry = entry
      await setEntry(sold, model)
      world.simulator.reset()
      const cached = Math.min(used.cached, used.prompt)
      world.simulator.next({
        tokens: 5,
        usageOverride: {
          input_tokens: used.prompt - cached,
          cache_read_input_tokens: cached,
          output_tokens: used.completion,
          ...(told && { speed: told }),
          ...(region && { inference_geo: region }),
        },
      })
      const body = { model, max_tokens: 300, messages: [{ role: 'user', content: 'hello' }], stream, speed: asked }
      const { quota } = await rowOf(world.post('/v1/messages', body, { key }))
      const { image_out: imageOutputPrice, per_image, per_character } = sold.prices
      const isDrawing = imageOutputPrice !== undefined || sold.ratios?.image_out !== undefined
      const units = per_image === undefined && per_character === undefined ? {} : { images: 1, characters: 5 }
      const usage = {
        ...noUsage,
        promptTokens: used.prompt,
        completionTokens: used.completion,
        cachedTokens: cached,
        // An answer in words, also of a model that draws.
        ...((isDrawing || per_image !== undefined) && { details: { image_count: 0 } }),
      }
      const cost = (speed: string | undefined) =>
        oracleCost({
          entry: sold,
          input: used.prompt,
          amounts: amountsOf(usage, units, isDrawing),
          modes: [speed ?? '', region ?? ''],
          schedule: scheduleAt(sold.schedules ?? [], clock.now()),
          rate: { quotaPerUnit: 500_000, factors: [1] },
        })
      const served = told ?? asked
      const maxCost = Math.max(cost(asked), cost(undefined))
      expect(quota).toBe(served === asked ? cost(asked) : Math.min(cost(served), maxCost))
    }),
    { numRuns: 60 },
  )
})

describe('tools that the vendor ran are charged', () => {
  const body = { model: 'gpt-4o', input: 'hi', tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }

  test.each([false, true])('the code interpreter is charged by its containers, in a stream: %p', async (stream) => {
    await setEntry({ prices: { input: 2, output: 2, code_interpreter: 30 } })
    world.simulator.next({ promptTokens: 100, tokens: 10, codeRuns: 3 })
    const { quota, other } = await rowOf(world.post('/v1/responses', { ...body, stream }))
    expect(quota).toBe(110 + 15_000)
    expect(other).toMatchObject({ code_interpreter_call_count: 1, code_interpreter_price: 30 })
  })

  test('tools are charged in a dialect that the caller does not speak', async () => {
    await setEntry({ prices: { input: 2, output: 2, code_interpreter: 30 } }, model)
    world.simulator.next({
      usageOverride: { input_tokens: 100, output_tokens: 10, server_tool_use: { code_execution_requests: 2 } },
    })
    const { quota, other } = await rowOf(world.post('/v1/responses', { ...body, model }))
    expect(quota).toBe(110 + 30_000)
    expect(other).toMatchObject({ code_interpreter_call_count: 2 })
  })

  test('tools are not charged where the entry has no price for them', async () => {
    await setEntry({ prices: { input: 2, output: 2 } })
    world.simulator.next({ promptTokens: 100, tokens: 10, codeRuns: 1 })
    expect((await rowOf(world.post('/v1/responses', body))).quota).toBe(110)
  })

  test('one call of each tool that is offered is held', async () => {
    await setEntry({ prices: { input: 2, output: 2, code_interpreter: 30 } })
    const limitedBody = { ...body, max_output_tokens: 20 }
    const poor = await world.addToken(await world.addUser(15_000))
    expect((await world.post('/v1/responses', limitedBody, { key: poor })).status).toBe(403)
    const { tools: _, ...plain } = limitedBody
    expect((await world.post('/v1/responses', plain, { key: poor })).status).toBe(200)
  })
})

test('a price by the second refuses calls, as no endpoint reports seconds', async () => {
  await setEntry({ prices: { per_second: 0.01 } }, 'kite-1')
  const refused = await world.chat({ model: 'kite-1' })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('price')
  await setEntry({ prices: { per_second: 0.01, input: 2 } }, 'kite-1')
  world.simulator.next({ promptTokens: 100, tokens: 10 })
  expect((await rowOf(world.chat({ model: 'kite-1' }))).quota).toBe(110)
})
