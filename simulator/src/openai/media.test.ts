import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking } from '../test/asking'

const { simulator, send } = await asking({ authorization: 'Bearer sk-test' })
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const model = 'm'

async function sendWithFile(path: string, name: string, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [field, value] of Object.entries({ model, ...fields })) form.append(field, value)
  form.append(name, new File([new Uint8Array(32_044)], 'a.bin'))
  return await (await fetch(simulator.url + path, { method: 'POST', body: form })).text()
}

const readCounts = () => simulator.requests.at(-1)?.counted

test('pictures are drawn as many as were asked for, whole and as a stream, and counted', async () => {
  const { json } = await send('/v1/images/generations', { model, prompt: 'A harbour', n: 2 })
  expect(json.data).toHaveLength(2)
  expect(json.usage).toMatchObject({ input_tokens: 3, output_tokens: 544 })
  expect(readCounts()).toMatchObject({ promptTokens: 3, completionTokens: 544 })
  const stream = { model, prompt: 'A harbour', stream: true, partial_images: 1 }
  const { events } = await send('/v1/images/generations', stream)
  expect(events.map(({ name }) => name)).toEqual(['image_generation.partial_image', 'image_generation.completed'])
})

test('a form with a picture is an edit', async () => {
  simulator.next({ tokens: 100 })
  const edited = await sendWithFile('/v1/images/edits', 'image', { prompt: 'A hárbour' })
  expect(JSON.parse(edited)).toMatchObject({ usage: { output_tokens: 100 } })
  const json = { prompt: 'A hárbour', image: { bytes: 32_044 } }
  expect(simulator.requests[0]).toMatchObject({ path: '/v1/images/edits', model, json })
})

test('speech is bytes, counted by characters, or events, counted by tokens', async () => {
  const sound = await send('/v1/audio/speech', { model, input: 'héllo', voice: 'alloy' })
  expect(sound.headers.get('content-type')).toBe('audio/mpeg')
  expect(sound.headers.get('content-length')).toBe(String(8 * 417))
  expect(readCounts()).toMatchObject({ promptTokens: 5, completionTokens: 0 })
  const { events } = await send('/v1/audio/speech', { model, input: 'hello', stream_format: 'sse' })
  expect(events.at(-1)?.data).toMatchObject({
    type: 'speech.audio.done',
    usage: { input_tokens: 2, output_tokens: 8 },
  })
})

test('a recording is heard by its seconds, in every form of a transcript', async () => {
  const path = '/v1/audio/transcriptions'
  const whole = JSON.parse(await sendWithFile(path, 'file'))
  expect(whole.usage).toMatchObject({ type: 'tokens', input_tokens: 20, output_tokens: 8 })
  expect(await sendWithFile(path, 'file', { response_format: 'text' })).toBe(`${whole.text}\n`)
  const stream = await sendWithFile(path, 'file', { stream: 'true' })
  expect(stream.match(/transcript\.text\.delta/g)).toHaveLength(8)
  expect(stream).toContain(`"type":"transcript.text.done","text":${JSON.stringify(whole.text)}`)
})
