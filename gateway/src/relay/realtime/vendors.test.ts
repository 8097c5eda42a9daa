import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { readLogDetails } from '@tollgate/contract'
import { RealtimeUpstream } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { connectRealtime } from '../../../test/realtime-client'
import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../test/relay-world'

const live = 'gemini-2.5-flash-native-audio-preview-12-2025'
const laterLive = 'gemini-3.1-flash-live-preview'
const qwen = 'qwen3-omni-flash-realtime'

let world: RelayWorld
let google: RealtimeUpstream
let alibaba: RealtimeUpstream
beforeAll(async () => {
  google = RealtimeUpstream.start('gemini')
  alibaba = RealtimeUpstream.start('dashscope')
  world = await createRelayWorld()
  await world.addChannel({ type: 24, models: `${live},${laterLive}`, base_url: google.url })
  await world.addChannel({ type: 17, models: qwen, base_url: alibaba.url })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
  await alibaba[Symbol.asyncDispose]()
})

async function aSession(model: string) {
  const userId = await world.addUser(1_000_000)
  const client = await connectRealtime(world.url, { key: await world.addToken(userId), model })
  const rows = (count: number) =>
    eventually(async () => {
      const found = (await world.logs()).filter((row) => row.user_id === userId && row.type === 2)
      return found.length >= count ? found : null
    })
  return { client, rows, [Symbol.dispose]: () => client.close() }
}

const text = (words: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] },
})

describe('a session with Gemini Live', () => {
  test('sends its configuration before anything else, and tells responses as OpenAI does', async () => {
    const at = google.sessions.length
    using session = await aSession(live)
    const { client } = session
    await client.next('session.created')
    client.send({
      type: 'session.update',
      session: { type: 'realtime', instructions: 'be brief', audio: { output: { voice: 'Puck' } } },
    })
    expect(await client.next('session.updated')).toMatchObject({ session: { instructions: 'be brief' } })
    client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    client.send(text('Hello'))
    google.next({ text: 'Good day', usage: { textIn: 100, audioIn: 50, textOut: 20, audioOut: 200 } })
    const done = await client.respond()
    expect(done).toMatchObject({
      response: {
        status: 'completed',
        output: [{ role: 'assistant', content: [{ type: 'output_audio', transcript: 'Good day' }] }],
        usage: { input_tokens: 150, output_tokens: 220 },
      },
    })
    expect(client.events.map(({ type }) => type)).toEqual([
      'session.created',
      'session.updated',
      'conversation.item.added',
      'conversation.item.done',
      'response.created',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_audio.delta',
      'response.output_audio.delta',
      'response.output_audio_transcript.delta',
      'response.output_audio.done',
      'response.output_audio_transcript.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.done',
    ])
    const seen = await google.session(at)
    expect(seen.url.pathname).toBe('/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent')
    expect(seen.headers.get('x-goog-api-key')).toBe(upstreamKey)
    expect(seen.events).toEqual([
      {
        setup: {
          model: `models/${live}`,
          generationConfig: {
            responseModalities: ['AUDIO'],
            speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } },
          },
          systemInstruction: { parts: [{ text: 'be brief' }] },
          outputAudioTranscription: {},
        },
      },
      { realtimeInput: { audio: { mimeType: 'audio/pcm;rate=24000', data: 'AAAA' } } },
      { clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hello' }] }], turnComplete: true } },
    ])
    // 0.5 and 3 dollars for a million tokens of input, 2 and 12 of output.
    const [row] = await session.rows(1)
    expect(row?.quota).toBe(Math.round((100 * 0.5 + 50 * 3 + 20 * 2 + 200 * 12) / 2))
    expect(readLogDetails(row?.other ?? '')).toMatchObject({ ws: true, audio_input: 50, audio_output: 200 })
  })

  test('takes text as if it were spoken where the model wants it so', async () => {
    const at = google.sessions.length
    using session = await aSession(laterLive)
    session.client.send(text('Hello'))
    await session.client.respond()
    expect((await google.session(at)).events.at(-1)).toEqual({ realtimeInput: { text: 'Hello' } })
  })

  test('calls tools, and goes on when their results arrive', async () => {
    const at = google.sessions.length
    using session = await aSession(live)
    const { client } = session
    const weather = { type: 'function', name: 'weather', description: 'of a city', parameters: { type: 'object' } }
    client.send({ type: 'session.update', session: { tools: [weather] } })
    client.send(text('And in Paris?'))
    expect(await client.respond()).toMatchObject({
      response: {
        output: [{ type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' }],
      },
    })
    client.send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
    })
    await client.respond()
    expect((await google.session(at)).events.at(-1)).toEqual({
      toolResponse: { functionResponses: [{ id: 'call_1', name: 'weather', response: { output: 'sunny' } }] },
    })
    expect(await session.rows(2)).toHaveLength(2)
  })

  test('tells what was said, which costs nothing of its own', async () => {
    using session = await aSession(live)
    const { client } = session
    const input = { transcription: { model: 'gpt-4o-transcribe' }, turn_detection: null }
    client.send({ type: 'session.update', session: { audio: { input } } })
    client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    client.send({ type: 'input_audio_buffer.commit' })
    expect(await client.next('conversation.item.input_audio_transcription.completed')).toMatchObject({
      transcript: 'what was said',
    })
    await client.next('response.done')
    expect(await session.rows(1)).toMatchObject([{ model_name: live }])
    const { events } = await google.session(google.sessions.length - 1)
    expect(events.slice(1).map((event) => Object.keys(event['realtimeInput'] ?? {})[0])).toEqual([
      'activityStart',
      'audio',
      'activityEnd',
    ])
  })

  test('says that its configuration cannot be changed later', async () => {
    using session = await aSession(live)
    session.client.send({ type: 'session.update', session: {} })
    session.client.send({ type: 'session.update', event_id: 'mine', session: { instructions: 'be long' } })
    expect(await session.client.next('error')).toMatchObject({
      error: { code: 'session_already_configured', event_id: 'mine' },
    })
  })
})

describe('a session with DashScope', () => {
  test('takes a configuration in its own shape, and tells events as OpenAI does', async () => {
    const at = alibaba.sessions.length
    using session = await aSession(qwen)
    const { client } = session
    expect(await client.next('session.created')).toMatchObject({
      session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcm', rate: 24_000 } } } },
    })
    const weather = { type: 'function', name: 'weather', parameters: { type: 'object' } }
    client.send({
      type: 'session.update',
      session: {
        type: 'realtime',
        output_modalities: ['audio'],
        tools: [weather],
        audio: { input: { turn_detection: null }, output: { voice: 'Cherry' } },
      },
    })
    await client.next('session.updated')
    // Three samples of 24,000 a second are two of 16,000.
    client.send({
      type: 'input_audio_buffer.append',
      audio: Buffer.from(new Int16Array([7, 8, 10, 1]).buffer).toString('base64'),
    })
    client.send({
      type: 'input_audio_buffer.append',
      audio: Buffer.from(new Int16Array([2, 4]).buffer).toString('base64'),
    })
    alibaba.next({ usage: { textIn: 100, audioIn: 50, textOut: 20, audioOut: 200 } })
    await client.respond()
    const types = client.events.map(({ type }) => type)
    expect(types).toContain('response.output_audio.delta')
    expect(types).toContain('response.output_audio_transcript.delta')
    const { url, headers, events } = await alibaba.session(at)
    expect([url.pathname, url.searchParams.get('model')]).toEqual(['/api-ws/v1/realtime', qwen])
    expect(headers.get('authorization')).toBe(`Bearer ${upstreamKey}`)
    expect(events[0]).toEqual({
      type: 'session.update',
      session: {
        input_audio_format: 'pcm',
        output_audio_format: 'pcm',
        modalities: ['text', 'audio'],
        voice: 'Cherry',
        turn_detection: null,
        tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
      },
    })
    const samples = events
      .slice(1, 3)
      .map(({ audio }) => [...new Int16Array(new Uint8Array(Buffer.from(String(audio), 'base64')).buffer)])
    expect(samples).toEqual([
      [7, 9],
      [1, 3],
    ])
    // 0.52 and 4.57 dollars for a million tokens of input, 1.99 and 18.13 of output.
    const [row] = await session.rows(1)
    expect(row?.quota).toBe(Math.round((100 * 0.52 + 50 * 4.57 + 20 * 1.99 + 200 * 18.13) / 2))
  })
})
