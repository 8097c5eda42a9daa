import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { readLogDetails } from '@tollgate/contract'
import { isObject, type JsonObject } from '@tollgate/dialects'
import { RealtimeUpstream, type RealtimeUsage } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { FakeTime } from '../../../test/fake-time'
import { connectRealtime, type RealtimeClient } from '../../../test/realtime-client'
import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../test/relay-world'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

const model = 'gemini-3.1-flash-live-preview'
const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const usage: RealtimeUsage = { textIn: 700, audioIn: 1300, textOut: 90, audioOut: 410 }
/** By the shipped prices, in US dollars for a million tokens. */
const quota = Math.round((700 * 0.75 + 1300 * 3 + 90 * 4.5 + 410 * 12) / 2)

const time = new FakeTime()
let world: RelayWorld
let google: RealtimeUpstream
beforeAll(async () => {
  google = RealtimeUpstream.start('gemini')
  world = await createRelayWorld({ time })
  const model_mapping = '{"our-live":"gemini-3.1-flash-live-preview"}'
  await world.addChannel({ type: 24, models: `${model},our-live`, base_url: google.url, model_mapping })
  await world.setOptions({ ModelRatio: '{"our-live":1}' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})
beforeEach(() => google.refuse(null))

const connect = (key: string, at = path) => connectRealtime(world.url, { path: at, query: `?key=${key}` })
const setupOf = (more: JsonObject = {}, name = `models/${model}`) => ({ setup: { model: name, ...more } })
const turnOf = (text: string) => ({
  clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true },
})

/** Resolves when a turn is complete. */
async function awaitTurn(client: RealtimeClient): Promise<void> {
  const { serverContent } = await client.next('serverContent')
  if (!isObject(serverContent) || serverContent['turnComplete'] !== true) await awaitTurn(client)
}

async function startSession(key: string, setup: JsonObject = setupOf()): Promise<RealtimeClient> {
  const client = await connect(key)
  client.send(setup)
  await client.next('setupComplete')
  return client
}

describe('a session of Google’s clients', () => {
  test('passes messages as they are, and charges each turn once by kinds of tokens', async () => {
    const at = google.sessions.length
    const { userId, key } = await world.addPayer(10_000_000)
    const generationConfig = { responseModalities: ['AUDIO'], maxOutputTokens: 1000 }
    using client = await startSession(key, setupOf({ generationConfig }))
    const audio = { realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data: 'AAAA' } } }
    client.send(audio)
    for (const words of ['Hello', 'And again?']) {
      google.next({ usage, text: 'Good day' })
      client.send(turnOf(words))
      await awaitTurn(client)
    }
    const seen = await google.session(at)
    expect(seen.events).toEqual([setupOf({ generationConfig }), audio, turnOf('Hello'), turnOf('And again?')])
    expect(seen.headers.get('x-goog-api-key')).toBe(upstreamKey)
    expect(seen.url.href).not.toContain(key)
    const rows = await world.chargesOf(userId, 2)
    expect(rows.map((row) => row.quota)).toEqual([quota, quota])
    expect(rows[0]).toMatchObject({ model_name: model, prompt_tokens: 2000, completion_tokens: 500, is_stream: 1 })
    const details = { ws: true, dialect: 'gemini-live', endpoint: path, audio_input: 1300, audio_output: 410 }
    expect(readLogDetails(rows[0]?.other ?? '')).toMatchObject(details)
    client.close()
  })

  test.each([
    [path, (key: string) => ({ query: `?key=${key}` })],
    [`/${path}`, (key: string) => ({ query: `?key=${key}` })],
    [path, (key: string) => ({ query: '', headers: { 'x-goog-api-key': key } })],
    [path.replace('v1beta', 'v1alpha'), (key: string) => ({ query: `?key=${key}` })],
    [
      '/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent',
      (key: string) => ({ query: '', headers: { 'x-goog-api-key': key } }),
    ],
  ])('a session of Google’s clients opens at %s', async (at, means) => {
    const index = google.sessions.length
    using client = await connectRealtime(world.url, { path: at, ...means(world.key) })
    client.send(setupOf({}, `projects/p/locations/l/publishers/google/models/${model}`))
    await client.next('setupComplete')
    const { url, events } = await google.session(index)
    expect(url.pathname.includes('v1alpha')).toBe(at.includes('v1alpha'))
    expect(events).toEqual([setupOf()])
    client.close()
    await client.closed
  })

  test('names the model as the vendor does, and is charged by the name of the caller', async () => {
    const { userId, key } = await world.addPayer(10_000_000)
    const index = google.sessions.length
    using client = await startSession(key, setupOf({}, 'models/our-live'))
    expect((await google.session(index)).events).toEqual([setupOf()])
    client.send(turnOf('Hello'))
    await awaitTurn(client)
    const [row] = await world.chargesOf(userId, 1)
    expect(row).toMatchObject({ model_name: 'our-live' })
    expect(readLogDetails(row?.other ?? '')).toMatchObject({ upstream_model_name: model })
    client.close()
  })

  test('opens with the model of an alias, with the next one where that cannot be, and its rows say so', async () => {
    const away = 'gemini-2.5-flash-native-audio-preview-12-2025'
    await world.addChannel({ type: 24, models: away, base_url: 'http://127.0.0.1:1' })
    await world.setOptions({
      ModelAliases: JSON.stringify({ talk: [{ targets: [{ model: away, weight: 1 }] }] }),
      ModelChains: JSON.stringify({ talk: { models: [model] } }),
    })
    const { userId, key } = await world.addPayer(10_000_000)
    const index = google.sessions.length
    using client = await startSession(key, setupOf({}, 'models/talk'))
    expect((await google.session(index)).events).toEqual([setupOf()])
    google.next({ usage, text: 'Good day' })
    client.send(turnOf('Hello'))
    await awaitTurn(client)
    const [row] = await world.chargesOf(userId, 1)
    expect(row).toMatchObject({ model_name: model, quota })
    expect(readLogDetails(row?.other ?? '')).toMatchObject({ requested_model: 'talk', model_reason: 'failure' })
    client.close()
    await world.setOptions({ ModelAliases: '{}', ModelChains: '{}' })
  })

  test('a tool of the client is called, and its result goes on', async () => {
    const { userId, key } = await world.addPayer(10_000_000)
    const tools = [{ functionDeclarations: [{ name: 'weather', parameters: { type: 'OBJECT' } }] }]
    using client = await startSession(key, setupOf({ tools }))
    client.send(turnOf('And in Paris?'))
    const call = { id: 'call_1', name: 'weather', args: { city: 'Paris' } }
    expect(await client.next('toolCall')).toMatchObject({ toolCall: { functionCalls: [call] } })
    client.send({ toolResponse: { functionResponses: [{ id: 'call_1', name: 'weather', response: { sky: 'blue' } }] } })
    await awaitTurn(client)
    await world.chargesOf(userId, 2)
    client.close()
  })

  describe('a call of a tool whose message has no usage', () => {
    const toolCall = { functionCalls: [{ id: 'call_1', name: 'weather', args: { city: 'Paris' } }] }
    const result = { functionResponses: [{ id: 'call_1', name: 'weather', response: { sky: 'blue' } }] }
    const usageMetadata = {
      promptTokenCount: 2000,
      responseTokenCount: 500,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 700 },
        { modality: 'AUDIO', tokenCount: 1300 },
      ],
      responseTokensDetails: [
        { modality: 'TEXT', tokenCount: 90 },
        { modality: 'AUDIO', tokenCount: 410 },
      ],
    }

    test.each([
      ['comes alone, behind the call', [{ usageMetadata }], 2],
      ['comes with the end of its turn', [{ serverContent: { turnComplete: true }, usageMetadata }], 2],
      ['comes with that of the next response', [], 1],
    ] as const)('a call of a tool is charged once, by the usage that %s', async (_title, behind, count) => {
      const { userId, key } = await world.addPayer(10_000_000)
      using client = await startSession(key)
      google.next({ messages: [{ toolCall }, ...behind] })
      client.send(turnOf('And in Paris?'))
      await client.next('toolCall')
      google.next({ usage })
      client.send({ toolResponse: result })
      await awaitTurn(client)
      const rows = await world.chargesOf(userId, count)
      expect(rows.map((row) => row.quota)).toEqual(Array.from({ length: count }, () => quota))
      client.close()
      await client.closed
      expect((await world.chargesOf(userId, count)).length).toBe(count)
    })

    test('a call of a tool is charged by an estimate, once, where the client leaves before its usage', async () => {
      const { userId, key } = await world.addPayer(10_000_000)
      using client = await startSession(key)
      google.next({ messages: [{ toolCall }] })
      client.send(turnOf('And in Paris?'))
      await client.next('toolCall')
      client.close()
      await client.closed
      const [row] = await world.chargesOf(userId, 1)
      expect(row?.quota).toBeGreaterThan(0)
      expect(readLogDetails(row?.other ?? '')).toMatchObject({ usage_estimated: 'all' })
    })

    test('a call of a tool leaves its hold to the next response, so that a balance for one at a time covers both', async () => {
      const { userId, key } = await world.addPayer(quota * 2)
      using client = await startSession(key)
      google.next({ messages: [{ toolCall }] })
      client.send(turnOf('And in Paris?'))
      await client.next('toolCall')
      google.next({ usage })
      client.send({ toolResponse: result })
      await awaitTurn(client)
      expect((await world.chargesOf(userId, 1)).map((row) => row.quota)).toEqual([quota])
      client.close()
    })
  })

  test('what came of a turn is charged when the client leaves', async () => {
    const { userId, key } = await world.addPayer(10_000_000)
    const client = await startSession(key)
    const gate = Promise.withResolvers<void>()
    google.next({ text: 'Good day', gate: gate.promise, usage })
    client.send(turnOf('Hello'))
    await client.next('serverContent')
    client.close()
    await client.closed
    gate.resolve()
    const [row] = await world.chargesOf(userId, 1)
    expect(row?.quota).toBeGreaterThan(0)
  })

  test('ends with the turn after which nothing is left, and says so', async () => {
    const { key } = await world.addPayer(quota)
    using client = await startSession(key)
    google.next({ usage })
    client.send(turnOf('Hello'))
    expect(await client.closed).toEqual({ code: 1008, reason: expect.stringMatching(/quota|balance/i) })
  })
})

describe('a session is refused', () => {
  /** Resolves with the close of a session that sends these messages, and requires that nothing of the last one went on. */
  async function expectRefusal(...messages: (JsonObject | string)[]) {
    const index = google.sessions.length
    using client = await connect(world.key)
    for (const message of messages) client.send(message)
    const { code, reason } = await client.closed
    const last = messages.at(-1)
    for (const { events } of google.sessions.slice(index)) {
      expect(events).not.toContainEqual(typeof last === 'string' ? JSON.parse(last) : (last ?? {}))
    }
    return [code, reason] as const
  }

  test('over HTTP where its key is unknown', async () => {
    const response = await fetch(`${world.url}${path}?key=sk-wrong`, {
      headers: { upgrade: 'websocket', connection: 'Upgrade' },
    })
    expect([response.status, await response.json()]).toMatchObject([401, { error: { status: 'UNAUTHENTICATED' } }])
  })

  test('over HTTP where it is no WebSocket', async () => {
    const response = await fetch(`${world.url}${path}?key=${world.key}`)
    expect([response.status, await response.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }])
  })

  test.each<[string, JsonObject | string, number, RegExp]>([
    ['without a setup', turnOf('Hello'), 1007, /setup/],
    ['without a model', { setup: {} }, 1007, /setup/],
    ['with a model that no channel has', setupOf({}, 'models/gemini-none'), 1008, /gemini-none/],
    ['with a model whose channel has no such sessions', setupOf({}, 'models/gpt-4o'), 1011, /gpt-4o/],
    ['that is not JSON', '{', 1007, /setup/],
    ['with a name that passes for another', { Setup: { model } }, 1007, /did you mean/],
  ])('a first message %s closes the session with the reason', async (_how, message, code, reason) => {
    expect(await expectRefusal(message)).toEqual([code, expect.stringMatching(reason)])
  })

  test('a session with a forbidden word in its setup, or in what follows, is closed', async () => {
    const options = { CheckSensitiveEnabled: 'true', CheckSensitiveOnPromptEnabled: 'true' }
    await world.setOptions({ ...options, SensitiveWords: 'forbiddenword' })
    const words = { parts: [{ text: 'a forbiddenword here' }] }
    const result = { functionResponses: [{ id: 'a', name: 'b', response: { text: 'a forbiddenword here' } }] }
    const forbidden: [number, string] = [1007, expect.stringContaining('forbiddenword')]
    const before = google.sessions.length
    for (const setup of [setupOf({ systemInstruction: words }), setupOf({ system_instruction: words })])
      expect(await expectRefusal(setup)).toEqual(forbidden)
    expect(google.sessions.length).toBe(before)
    for (const messages of [
      [setupOf(), { clientContent: { turns: [words], turnComplete: true } }],
      [setupOf(), { client_content: { turns: [words], turn_complete: true } }],
      [setupOf(), { realtimeInput: { text: 'a forbiddenword here' } }],
      [setupOf(), { toolResponse: result }],
    ])
      expect(await expectRefusal(...messages)).toEqual(forbidden)
    await world.setOptions({ CheckSensitiveEnabled: 'false' })
  })

  test('a message with too much structure, and a second setup, close a session', async () => {
    const deep = `{"clientContent":{"x":${'['.repeat(200)}${']'.repeat(200)}}}`
    expect(await expectRefusal(setupOf(), deep)).toEqual([1007, expect.stringContaining('nested')])
    expect(await expectRefusal(setupOf(), setupOf({ labels: {} }, 'models/other'))).toEqual([1007, expect.anything()])
  })

  test('a connection on which no setup arrives is closed', async () => {
    using client = await connect(world.key)
    // The handshake of the client ends before the gateway has its side of the connection.
    const closed = await eventually(async () => {
      time.advance(30_000)
      return Promise.race([client.closed, new Promise<null>((resolve) => setImmediate(() => resolve(null)))])
    })
    expect(closed).toEqual({ code: 1007, reason: expect.stringContaining('setup') })
  })

  test('a session whose handshake the upstream refuses is closed', async () => {
    google.refuse({ status: 500, error: { message: 'No.' } })
    expect(await expectRefusal(setupOf())).toEqual([1011, expect.stringContaining('500')])
  })

  test('a session whose caller has nothing left is closed', async () => {
    const { key } = await world.addPayer(0)
    using client = await connect(key)
    client.send(setupOf())
    expect(await client.closed).toMatchObject({ code: 1008 })
  })
})

test('an upstream that closes a session for a wrong setup is quoted, without its key', async () => {
  const strict = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: { message: (socket) => socket.close(1007, `Invalid voice for ${upstreamKey}`) },
  })
  const id = await world.addChannel({
    type: 24,
    models: 'live-strict',
    base_url: String(strict.url).replace(/\/$/, ''),
  })
  await world.setOptions({ ModelRatio: '{"live-strict":1}' })
  using client = await connect(world.key)
  client.send(setupOf({}, 'models/live-strict'))
  const { code, reason } = await client.closed
  expect([code, reason]).toEqual([1007, expect.stringMatching(/^Invalid voice/)])
  expect(reason).not.toContain(upstreamKey)
  await world.changeChannel(id, { status: 2 })
  await strict.stop(true)
})

test('empty messages behind a setup whose channel does not answer are bounded', async () => {
  const silent = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => {}) })
  const base_url = String(silent.url).replace(/\/$/, '')
  const id = await world.addChannel({ type: 24, models: 'live-silent', base_url })
  await world.setOptions({ ModelRatio: '{"live-silent":1}' })
  using client = await connect(world.key)
  client.send(setupOf({}, 'models/live-silent'))
  for (let count = 0; count < 70_000; count += 1) client.send('')
  expect(await client.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('More was sent') })
  await world.changeChannel(id, { status: 2 })
  await silent.stop(true)
})
