import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { anMp3, aWav } from '../../../test/recordings'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
let channel: number
let handle: (request: Request) => Response | Promise<Response>
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, development: false, fetch: (request) => handle(request) })
const url = String(server.url).replace(/\/$/, '')

beforeAll(async () => {
  world = await createRelayWorld()
  const models = 'tts-1,gpt-4o-mini-tts,whisper-1,gpt-4o-transcribe'
  channel = await world.addChannel({ base_url: url, models, model_mapping: '{"whisper-1":"whisper-large-v3"}' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await server.stop(true)
})
afterEach(() => world.setOptions({ RetryTimes: '0' }))

const quotaOfDollars = (dollars: number): number => Math.round(dollars * 500_000)

const lastRow = async () => {
  const row = (await world.logs()).at(-1)
  if (!row) throw new Error('There is no row')
  return { quota: row.quota, prompt: row.prompt_tokens, other: JSON.parse(row.other) as Record<string, unknown> }
}

const speak = (body: object = {}) =>
  world.post('/v1/audio/speech', { model: 'tts-1', input: 'hello', voice: 'alloy', ...body })

function transcribe(fields: Record<string, string> = {}, file: Buffer<ArrayBuffer> = aWav(3), path = 'transcriptions') {
  const form = new FormData()
  for (const [name, value] of Object.entries({ model: 'whisper-1', ...fields })) form.append(name, value)
  form.append('file', new Blob([file], { type: 'audio/wav' }), 'a.wav')
  return fetch(`${world.url}/v1/audio/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}` },
    body: form,
  })
}

const sound = anMp3(2)
const asSound = () => new Response(sound, { headers: { 'content-type': 'audio/mpeg' } })

describe('speech', () => {
  test('forwards the bytes unchanged and charges the characters of the text', async () => {
    handle = asSound
    const response = await speak({ input: '你好, 𝄞' })
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await response.arrayBuffer()).equals(sound)).toBe(true)
    const row = await lastRow()
    expect(row).toMatchObject({ quota: quotaOfDollars((5 * 15) / 1e6), prompt: 5, other: { characters: 5 } })
  })

  test('charges the estimated tokens of a model with a price per token', async () => {
    handle = asSound
    const response = await speak({ model: 'gpt-4o-mini-tts' })
    await response.arrayBuffer()
    const row = await lastRow()
    const tokens = Math.ceil(Math.round((2 * 44_100) / 1152) * (1152 / 44_100) * (1250 / 60))
    expect(row).toMatchObject({ prompt: 1, other: { audio: true, audio_output: tokens, estimated: true } })
    expect(row.quota).toBe(quotaOfDollars((1 * 0.6 + tokens * 12) / 1e6))
  })

  test('forwards events unchanged and charges the reported usage', async () => {
    const events = [
      { type: 'speech.audio.delta', audio: 'AAAA' },
      { type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 } },
    ]
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    handle = () => new Response(text, { headers: { 'content-type': 'text/event-stream' } })
    const response = await speak({ model: 'gpt-4o-mini-tts', stream_format: 'sse' })
    expect(await response.text()).toBe(text)
    expect(await lastRow()).toMatchObject({ prompt: 14, other: { audio_output: 101 } })
  })

  test.each([
    ['a page', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['nothing', new Response('', { headers: { 'content-type': 'audio/mpeg' } })],
    ['an error with a good status', Response.json({ error: { message: 'no' } })],
    ['JSON', Response.json({ id: 1 })],
  ])('tries the next channel when the response is %s', async (_, wrong) => {
    const other = await world.addChannel({ base_url: url, models: 'tts-1', priority: 5 })
    await world.setOptions({ RetryTimes: '1' })
    const upstreamResponses = [wrong, asSound()]
    handle = () => upstreamResponses.shift() ?? asSound()
    const response = await speak()
    await world.changeChannel(other, { status: 2 })
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(sound.byteLength)
    expect(await lastRow()).toMatchObject({ other: { admin_info: { use_channel: [String(other), String(channel)] } } })
  })

  test('closes the connection when the upstream breaks off, and charges the call', async () => {
    const broken = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          socket.write('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 5000\r\n\r\n' + 'x'.repeat(1000))
          socket.end()
        },
      },
    })
    await world.changeChannel(channel, { base_url: `http://127.0.0.1:${broken.port}` })
    const response = await speak()
    expect(response.status).toBe(200)
    const read = await response.arrayBuffer().then(
      ({ byteLength }) => byteLength,
      () => 'broken',
    )
    await world.changeChannel(channel, { base_url: url })
    broken.stop(true)
    expect(read).toBe('broken')
    expect(await lastRow()).toMatchObject({ quota: quotaOfDollars((5 * 15) / 1e6), other: { ending: 'broken' } })
  })

  test('speech of an empty text is refused with a 400', async () => {
    const response = await speak({ input: ' ' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'input' } })
  })
})

describe('transcription', () => {
  test('sends the file unchanged, with the mapped model', async () => {
    const seen: [string, unknown][] = []
    handle = async (request) => {
      for (const [name, value] of await request.formData())
        seen.push([name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer())])
      return Response.json({ text: 'hello', usage: { type: 'duration', seconds: 3 } })
    }
    const response = await transcribe({ language: 'en', 'timestamp_granularities[]': 'word' })
    expect(await response.json()).toEqual({ text: 'hello', usage: { type: 'duration', seconds: 3 } })
    expect(seen.slice(0, 3)).toEqual([
      ['model', 'whisper-large-v3'],
      ['language', 'en'],
      ['timestamp_granularities[]', 'word'],
    ])
    expect(seen[3]).toEqual(['file', aWav(3)])
    expect(await lastRow()).toMatchObject({ quota: quotaOfDollars(3 * 0.0001), prompt: 50 })
  })

  test.each([
    ['text', 'text/plain', 'hello'],
    ['srt', 'text/plain', '1\n00:00:00,000 --> 00:00:01,000\nhello\n'],
    ['vtt', 'text/vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n'],
  ])('charges a transcript in %s format by the measured duration', async (format, type, text) => {
    handle = () => new Response(text, { headers: { 'content-type': 'text/plain' } })
    const response = await transcribe({ response_format: format }, anMp3(90))
    expect(response.headers.get('content-type')).toStartWith(type)
    expect(await response.text()).toBe(text)
    const row = await lastRow()
    expect(row).toMatchObject({ quota: quotaOfDollars(90 * 0.0001), prompt: Math.ceil((90 * 1000) / 60) })
    expect(row.other).not.toHaveProperty('estimated')
  })

  test('charges the reported tokens of a model with a price per token', async () => {
    const usage = {
      type: 'tokens',
      input_tokens: 40,
      input_token_details: { text_tokens: 10, audio_tokens: 30 },
      output_tokens: 7,
      total_tokens: 47,
    }
    handle = () => Response.json({ text: 'hello', usage })
    await (await transcribe({ model: 'gpt-4o-transcribe' })).json()
    const row = await lastRow()
    expect(row).toMatchObject({ prompt: 40, other: { audio: true, audio_input: 30, text_input: 10, text_output: 7 } })
    expect(row.quota).toBe(quotaOfDollars((40 * 2.5 + 7 * 10) / 1e6))
  })

  test('charges the measured duration as tokens where the vendor reports none', async () => {
    handle = () => Response.json({ text: 'hello' })
    await (await transcribe({ model: 'gpt-4o-transcribe' })).json()
    const row = await lastRow()
    expect(row).toMatchObject({ prompt: 30, other: { audio_input: 30, estimated: true } })
    expect(row.quota).toBe(quotaOfDollars((30 * 2.5 + 1 * 10) / 1e6))
  })

  test('the stream of a transcription reaches the client unchanged', async () => {
    const events = [
      { type: 'transcript.text.delta', delta: 'hel' },
      { type: 'transcript.text.done', text: 'hello', usage: { type: 'tokens', input_tokens: 30, output_tokens: 5 } },
    ]
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    handle = () => new Response(text, { headers: { 'content-type': 'text/event-stream' } })
    const response = await transcribe({ model: 'gpt-4o-transcribe', stream: 'true' })
    expect(await response.text()).toBe(text)
    expect(await lastRow()).toMatchObject({ prompt: 30 })
  })

  test('calls the endpoint of translations for a translation', async () => {
    let path = ''
    handle = (request) => {
      path = new URL(request.url).pathname
      return Response.json({ text: 'hello' })
    }
    expect((await transcribe({}, aWav(2), 'translations')).status).toBe(200)
    expect(path).toBe('/v1/audio/translations')
    expect(await lastRow()).toMatchObject({ quota: quotaOfDollars(2 * 0.0001) })
  })

  test.each([
    ['a body that is not a form', { 'content-type': 'application/json' }, '{}', null],
    [
      'a form without a file',
      { 'content-type': 'multipart/form-data; boundary=b' },
      field('model', 'whisper-1'),
      'file',
    ],
    ['a field twice', { 'content-type': 'multipart/form-data; boundary=b' }, twice(), 'model'],
    ['a form without an end', { 'content-type': 'multipart/form-data; boundary=b' }, '--b\r\n', null],
  ])('a transcription with %s is refused with a 400', async (_, headers, body, param) => {
    const response = await world.post('/v1/audio/transcriptions', body, { headers })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param } })
  })
})

function field(name: string, value: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`
}

function twice(): string {
  return field('model', 'a').replace('--b--\r\n', field('model', 'b'))
}
