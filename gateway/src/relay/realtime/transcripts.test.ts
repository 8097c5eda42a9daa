import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { readLogDetails } from '@tollgate/contract'
import { RealtimeUpstream } from '@tollgate/simulator'

import { kinds, onceOf } from '../../../test/kinds'
import { connectRealtime, type RealtimeClient } from '../../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { measureDifferences } from '../../app/commands/measure-differences'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

const model = 'gpt-4o-transcribe'

describe.each(kinds)('transcripts of realtime sessions (%s)', (kind) => {
  const once = onceOf(kind)

  let world: RelayWorld
  let upstream: RealtimeUpstream
  beforeAll(async () => {
    upstream = RealtimeUpstream.start()
    world = await createRelayWorld({ kind })
    await world.addChannel({ models: `gpt-realtime,${model}`, base_url: upstream.url })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  const connect = (options: Parameters<typeof connectRealtime>[1]) => connectRealtime(world.url, options)

  /** A turn of somewhat less than a second. */
  function speak(client: RealtimeClient) {
    client.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(40_000).toString('base64') })
    client.send({ type: 'input_audio_buffer.commit' })
  }

  test('a transcription is charged by the price of its own model', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    upstream.transcribe({
      type: 'tokens',
      input_tokens: 100,
      output_tokens: 20,
      input_token_details: { audio_tokens: 100 },
    })
    using client = await connect({ key })
    const transcription = { model: 'gpt-4o-transcribe' }
    client.send({ type: 'session.update', session: { type: 'realtime', audio: { input: { transcription } } } })
    await client.next('session.updated')
    speak(client)
    await client.next('conversation.item.input_audio_transcription.completed')
    const [row] = await world.chargesOf(userId, 1)
    expect(row).toMatchObject({ model_name: 'gpt-4o-transcribe', prompt_tokens: 100, completion_tokens: 20 })
    // 2.5 dollars for a million input tokens, 10 for a million output tokens.
    expect(row?.quota).toBe(Math.round((100 * 2.5 + 20 * 10) / 2))
    // A transcript has no time until its first token.
    expect(await measureDifferences(world.ctx.database.query, 0)).toEqual([])
  })

  once(
    'a session that only transcribes needs no other model, and ends when its transcripts used up the balance',
    async () => {
      const { userId, key } = await world.addPayer(20_000)
      upstream.transcribe({ type: 'tokens', input_tokens: 4_000, output_tokens: 500 })
      const at = upstream.sessions.length
      using client = await connect({ key, query: '?intent=transcription' })
      expect((await upstream.session(at)).url.search).toBe('?intent=transcription')
      const input = { transcription: { model } }
      client.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } })
      await client.next('session.updated')
      for (let count = 0; count < 4; count += 1) speak(client)
      expect(await client.next('error')).toMatchObject({ error: { code: 'insufficient_quota' } })
      expect((await client.closed).code).toBe(1008)
      const transcripts = client.events.filter(({ transcript }) => transcript !== undefined)
      const rows = await world.chargesOf(userId, transcripts.length)
      expect(transcripts.length).toBeWithin(2, 4)
      // 2.5 dollars for a million input tokens, 10 for a million output tokens.
      expect(rows.map(({ quota }) => quota)).toEqual(transcripts.map(() => 7_500))
    },
  )

  const usage = { type: 'tokens', input_tokens: 400, output_tokens: 50 }

  /** A session whose client has read all of a transcript but its end. */
  async function anOpenTranscript(key: string) {
    const client = await connect({ key, query: '?intent=transcription' })
    const input = { transcription: { model } }
    client.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } })
    await client.next('session.updated')
    speak(client)
    await client.next('conversation.item.input_audio_transcription.delta')
    return client
  }

  once('a transcript whose client leaves before its end is charged as reported', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    const gate = Promise.withResolvers<void>()
    upstream.transcribe(usage, { gate: gate.promise })
    using client = await anOpenTranscript(key)
    client.close()
    await client.closed
    gate.resolve()
    const [row] = await world.chargesOf(userId, 1)
    expect(row).toMatchObject({ model_name: model, prompt_tokens: 400, completion_tokens: 50 })
  })

  once('a transcript whose end never comes is estimated', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    upstream.transcribe(usage, { gate: new Promise(() => {}) })
    using client = await anOpenTranscript(key)
    world.inFlight.upstreams.stopAll('shutdown')
    await client.closed
    const [row] = await world.chargesOf(userId, 1)
    // One second of audio: ten tokens.
    expect(row).toMatchObject({ model_name: model, prompt_tokens: 10, completion_tokens: 3 })
    expect(readLogDetails(row?.other ?? '')).toMatchObject({ usage_estimated: 'all', ending: 'abandoned' })
  })

  once('a transcript whose end is sent twice is charged once', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    upstream.transcribe(usage, { isRepeated: true })
    using client = await anOpenTranscript(key)
    await client.next('conversation.item.input_audio_transcription.completed')
    await client.next('conversation.item.input_audio_transcription.completed')
    await client.respond()
    expect(await world.chargesOf(userId, 2)).toHaveLength(2)
  })

  once('a transcript without usage is charged for what was said since the one before', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    upstream.transcribe({})
    using client = await anOpenTranscript(key)
    speak(client)
    const rows = await world.chargesOf(userId, 2)
    expect(rows.map(({ prompt_tokens: tokens }) => tokens)).toEqual([10, 10])
  })

  const isTranscript = (row: { model_name: string }) => row.model_name !== 'gpt-realtime'

  /** What is charged for a second of speech whose transcript is reported with this usage. */
  async function chargeFor(transcriber: string, reported: Record<string, unknown>) {
    const { userId, key } = await world.addPayer(10_000_000)
    upstream.transcribe(reported)
    using client = await connect({ key })
    const transcription = { model: transcriber }
    client.send({ type: 'session.update', session: { type: 'realtime', audio: { input: { transcription } } } })
    await client.next('session.updated')
    speak(client)
    await client.next('conversation.item.input_audio_transcription.completed')
    return (await world.chargesOf(userId, 1)).find(isTranscript)?.quota
  }

  once.each([
    ['seconds', 'whisper-1', { type: 'duration', seconds: 600_000 }],
    ['input tokens', model, { type: 'tokens', input_tokens: 1e9, output_tokens: 3 }],
    ['tokens of audio', model, { input_tokens: 1e7, output_tokens: 3, input_token_details: { audio_tokens: 1e7 } }],
    ['output tokens', model, { type: 'tokens', input_tokens: 10, output_tokens: 1e9 }],
  ])(
    'a transcript of one second for which impossibly many %s are reported is charged as one without usage',
    async (_, transcriber, reported) => {
      expect(await chargeFor(transcriber, reported)).toBe(await chargeFor(transcriber, {}))
    },
  )

  once('twenty transcripts of one turn are charged as one', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    upstream.transcribe(undefined)
    const transcripts = Array.from({ length: 20 }, (_, index) => ({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: `item_of_${index}`,
      content_index: 0,
      transcript: 'what was said',
      usage,
    }))
    using client = await connect({ key })
    const transcription = { model }
    client.send({ type: 'session.update', session: { type: 'realtime', audio: { input: { transcription } } } })
    await client.next('session.updated')
    speak(client)
    upstream.next({ messages: [...transcripts, { type: 'all_sent' }] })
    client.send({ type: 'response.create' })
    await client.next('all_sent')
    await client.respond()
    expect((await world.chargesOf(userId, 2)).filter(isTranscript)).toHaveLength(1)
  })

  once(
    'transcripts beside a session that holds all of a balance are charged from it, until it is used up',
    async () => {
      const { userId, key } = await world.addPayer(20_000)
      upstream.transcribe({ type: 'tokens', input_tokens: 4_000, output_tokens: 500 })
      using client = await connect({ key })
      const transcription = { model }
      client.send({ type: 'session.update', session: { type: 'realtime', audio: { input: { transcription } } } })
      await client.next('session.updated')
      for (let count = 0; count < 4; count += 1) speak(client)
      expect(await client.next('error')).toMatchObject({ error: { code: 'insufficient_quota' } })
      expect((await client.closed).code).toBe(1008)
      const rows = await world.chargesOf(userId, 3)
      expect(rows.map(({ quota }) => quota)).toEqual([7_500, 7_500, 7_500])
      expect(await world.balanceOf(userId)).toBe(-2_500)
    },
  )
})
