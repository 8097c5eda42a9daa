import { expect, test } from 'bun:test'

import { noUsage, type Usage } from '@tollgate/dialects'
import type { PriceEntry } from '@tollgate/models'

import { aPrice } from '../../../test/prices'
import { drawnUsage } from './drawn-usage'
import type { Metered } from './meter'

const perImage: PriceEntry = { prices: { input: 1, per_image: 0.04 } }
const perImageToken: PriceEntry = { prices: { input: 1, image_out: 30 } }

const draw = (
  entry: PriceEntry,
  usage: Partial<Usage>,
  {
    text = '',
    images = 2,
    ...rest
  }: Omit<Metered, 'usage'> & { readonly text?: string; readonly images?: number } = {},
) =>
  drawnUsage(
    { usage: { ...noUsage, completionTokens: 5, ...usage }, ...rest },
    { images: () => images, completionText: () => text },
    aPrice(entry),
  )

test('pictures of a response are those in it and those that its Markdown links', () => {
  const text = '![a](https://x/a.png) ![b](data:image/png;base64,AA) ![c]( http://x) ![d](http://x/d.png) ![open'
  expect(draw(perImage, {}, { text }).usage.details).toEqual({ image_count: 4 })
})

test('a usage that counts pictures, and a response that tells of none, stay as they are', () => {
  expect(draw(perImage, { details: { image_count: 7 } }).usage.details).toEqual({ image_count: 7 })
  const metered = { usage: noUsage }
  expect(drawnUsage(metered, { completionText: () => '![a](http://x)' }, aPrice(perImage))).toBe(metered)
})

test('pictures of the vendor’s tool have the price of the tool, unless the model has one for pictures', () => {
  const usage = { toolCalls: { imageGeneration: 3, webSearch: 1 }, details: { service_tier: 'flex' } }
  expect(draw(perImageToken, usage).usage).toMatchObject({
    toolCalls: { imageGeneration: 3, webSearch: 1 },
    details: { service_tier: 'flex', image_count: 0 },
  })
  const { toolCalls, details } = draw(perImage, usage).usage
  expect([toolCalls, details]).toEqual([{ webSearch: 1 }, { service_tier: 'flex', image_count: 2 }])
})

test.each<[PriceEntry, Metered['estimated'], number]>([
  [perImageToken, 'completion', 5 + 2 * 1290],
  [perImageToken, 'all', 5 + 2 * 1290],
  [perImageToken, 'prompt', 5],
  [perImageToken, undefined, 5],
  [perImage, 'all', 5],
])('pictures of a response under the price %j whose %p was estimated make it %d tokens', (entry, estimated, tokens) => {
  const drawn = draw(entry, {}, estimated && { estimated })
  expect([drawn.usage.completionTokens, drawn.estimated]).toEqual([tokens, estimated])
})
