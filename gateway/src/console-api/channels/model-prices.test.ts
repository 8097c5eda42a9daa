import { describe, expect, test } from 'bun:test'

import { channelPriceRoutes } from '@tollgate/contract'

import { createChannelWorld } from '../../../test/channel-world'
import { setOptionsIn } from '../../../test/options'

const start = async (options: Record<string, unknown> = {}) => {
  const world = await createChannelWorld('sqlite')
  const texts = Object.entries(options).map(([key, value]) => [key, JSON.stringify(value)])
  await setOptionsIn(world.ctx, Object.fromEntries(texts))
  const requestPrices = (body: object) => world.ask('POST', '/api/channel/prices', body)
  const prices = async (models: string[], model_mapping?: string) =>
    channelPriceRoutes.modelPrices.data?.parse((await requestPrices({ models, model_mapping })).data)
  return { ...world, requestPrices, prices }
}

describe(`prices of a channel's models`, () => {
  test('an operator’s price takes precedence over a built-in one, a fixed price over ratios', async () => {
    await using world = await start({
      ModelRatio: { own: 3, both: 3 },
      CompletionRatio: { own: 5 },
      ModelPrice: { both: 0.04 },
      CacheRatio: { own: 0.25 },
      AudioRatio: { own: 8 },
    })
    const own = { cache_read: 0.25, cache_write: 1.25, image: 1, audio_input: 8, audio_output: 1 }
    const builtIn = { cache_read: 0.5, cache_write: 1.25, image: 1, audio_input: 1, audio_output: 1 }
    expect(await world.prices(['own', 'both', 'gpt-4o', 'unknown-model'])).toEqual([
      { model: 'own', kind: 'per-token', model_ratio: 3, completion_ratio: 5, model_price: 0, parts: own },
      { model: 'both', kind: 'per-call', model_ratio: 0, completion_ratio: 0, model_price: 0.04, parts: null },
      { model: 'gpt-4o', kind: 'per-token', model_ratio: 1.25, completion_ratio: 4, model_price: 0, parts: builtIn },
      { model: 'unknown-model', kind: 'unpriced', model_ratio: 0, completion_ratio: 0, model_price: 0, parts: null },
    ])
  })

  test('a mapped model without a price of its own costs the same as the end of its chain', async () => {
    await using world = await start({ ModelRatio: { target: 7 } })
    const [price] = (await world.prices(['alias'], '{"alias":"between","between":"target"}')) ?? []
    expect(price).toMatchObject({ model: 'alias', kind: 'per-token', model_ratio: 7 })
    expect((await world.requestPrices({ models: ['a'], model_mapping: '{"a":"b","b":"a"}' })).code).toBe(
      'channel.model_mapping_cycle',
    )
  })

  test('only administrators may read prices', async () => {
    await using world = await createChannelWorld('sqlite')
    expect((await world.ask('POST', '/api/channel/prices', { models: [] }, world.user)).status).toBe(403)
  })
})
