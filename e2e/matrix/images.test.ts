import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { GoogleGenAI } from '@google/genai'

import { imageVendors, pixel, pixelAddress, pixelBytes } from './image-studio'
import { ModeTable } from './mode-table'
import { aStudioWorld, type StudioWorld } from './studio'

setDefaultTimeout(120_000)

const columns = [
  'drawn by OpenAI’s SDK',
  'three of them',
  'edited by OpenAI’s SDK',
  'varied by OpenAI’s SDK',
  'drawn by Google’s SDK',
  'in a chat of Google’s SDK',
] as const
const [draws, three, edits, varies, drawsAsGoogle, chats] = columns
const table = new ModeTable({
  heading: '# Images',
  intro:
    'Images from each vendor, whole (w) and as a stream (s), with charges by the published formula. A stream of a vendor that does not stream images holds the completed ones.',
  columns,
})

let world: StudioWorld
beforeAll(async () => {
  world = await aStudioWorld(imageVendors)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await table.keep()
})

const files = [new File([pixelBytes], 'a.png', { type: 'image/png' })]
const isPixel = (image: { readonly b64_json?: string; readonly url?: string } = {}) =>
  image.b64_json === pixel || image.url === pixelAddress

describe.each(imageVendors)('$name', ({ name, model, quota, quotaOfThree, ...vendor }) => {
  test('the SDK of OpenAI draws, whole and as a stream', async () => {
    const { images } = world.client
    const whole = await world.measureCharge(model, () => images.generate({ model, prompt: 'A harbour', n: 1 }))
    expect(whole.response.data?.map(isPixel)).toEqual([true])
    expect(whole.quota).toBe(quota)
    table.pass(name, draws, 'w')
    const streamed = await world.measureCharge(model, async () =>
      Array.fromAsync(await images.generate({ model, prompt: 'A harbour', stream: true })),
    )
    expect(streamed.response.at(-1)?.type).toBe('image_generation.completed')
    expect(isPixel(streamed.response.at(-1))).toBe(true)
    expect(streamed.quota).toBe(quota)
    table.pass(name, draws, 's')
  })

  test('the SDK of OpenAI draws three images, by as many calls as the vendor needs', async () => {
    const { response: result, quota: cost } = await world.measureCharge(model, () =>
      world.client.images.generate({ model, prompt: 'A harbour', n: 3 }),
    )
    expect(result.data?.map(isPixel)).toEqual([true, true, true])
    expect(cost).toBe(quotaOfThree)
    table.pass(name, three, 'w')
  })

  // Vendors without edits have no such test: in CI a test may not be skipped.
  const testOfEdits = vendor.edits ? test : null
  testOfEdits?.('the SDK of OpenAI edits a file, whole and as a stream', async () => {
    const { images } = world.client
    const whole = await world.measureCharge(model, () => images.edit({ model, prompt: 'A harbour', image: files }))
    expect(whole.response.data?.map(isPixel)).toEqual([true])
    expect(whole.quota).toBe(quota)
    table.pass(name, edits, 'w')
    const streamed = await world.measureCharge(model, async () =>
      Array.fromAsync(await images.edit({ model, prompt: 'A harbour', image: files, stream: true })),
    )
    expect(streamed.response.at(-1)?.type).toBe('image_edit.completed')
    expect(streamed.quota).toBe(quota)
    table.pass(name, edits, 's')
  })

  const testOfVariations = vendor.varies ? test : null
  testOfVariations?.('the SDK of OpenAI varies a file', async () => {
    const { response: result, quota: cost } = await world.measureCharge(model, () =>
      world.client.images.createVariation({ model, image: new File([pixelBytes], 'a.png', { type: 'image/png' }) }),
    )
    expect(result.data?.map(isPixel)).toEqual([true])
    expect(cost).toBe(quota)
    table.pass(name, varies, 'w')
  })

  // That SDK takes what stands before a slash for a publisher: such models are called by a name that their channel maps.
  test('the SDK of Google draws', async () => {
    const called = vendor.alias ?? model
    const google = new GoogleGenAI({
      vertexai: true,
      apiKey: world.key,
      httpOptions: { baseUrl: world.gateway.url },
    })
    const { response: result, quota: cost } = await world.measureCharge(called, () =>
      google.models.generateImages({ model: called, prompt: 'A harbour', config: { numberOfImages: 1 } }),
    )
    const { imageBytes, gcsUri } = result.generatedImages?.[0]?.image ?? {}
    expect(imageBytes === pixel || gcsUri === pixelAddress).toBe(true)
    expect(cost).toBe(quota)
    table.pass(name, drawsAsGoogle, 'w')
  })

  const testOfChats = vendor.chats ? test : null
  testOfChats?.('the SDK of Google draws in a chat, whole and as a stream', async () => {
    const { models } = new GoogleGenAI({ apiKey: world.key, httpOptions: { baseUrl: world.gateway.url } })
    const request = { model, contents: 'A harbour', config: { responseModalities: ['IMAGE'] } }
    const whole = await world.measureCharge(model, () => models.generateContent(request))
    expect(whole.response.candidates?.[0]?.content?.parts?.[0]?.inlineData?.data).toBe(pixel)
    expect(whole.quota).toBe(quota)
    table.pass(name, chats, 'w')
    const streamed = await world.measureCharge(model, async () =>
      Array.fromAsync(await models.generateContentStream(request)),
    )
    const parts = streamed.response.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    expect(parts.map(({ inlineData }) => inlineData?.data)).toEqual([pixel])
    expect(streamed.quota).toBe(quota)
    table.pass(name, chats, 's')
  })
})
