import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { isObject, type JsonObject } from '@tollgate/dialects'
import { RealtimeUpstream, type RealtimeUsage } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { connectRealtime, type RealtimeClient } from '../../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

let world: RelayWorld
let upstream: RealtimeUpstream
let gemini: RealtimeUpstream
let usage: RealtimeUsage = { textOut: 5 }
let client: RealtimeClient | null = null
beforeAll(async () => {
  upstream = RealtimeUpstream.start('openai', { behave: () => ({ usage }) })
  gemini = RealtimeUpstream.start('gemini', { behave: () => ({ usage }) })
  world = await createRelayWorld()
  await world.addChannel({ models: 'gpt-realtime', base_url: upstream.url })
  await world.addChannel({ type: 24, models: 'gemini-2.0-flash-live-001', base_url: gemini.url })
  await world.setOptions({ ModelRatio: JSON.stringify({ 'gemini-2.0-flash-live-001': 1 }) })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await Promise.all([upstream[Symbol.asyncDispose](), gemini[Symbol.asyncDispose]()])
})
afterEach(async () => {
  client?.close()
  client = null
  usage = { textOut: 5 }
  await eventually(async () => world.inFlight.count === 0 || null)
})

const open = async (
  measure: 'completion_tokens' | 'prompt_tokens' | 'quota',
  limit_amount: number,
  options: Parameters<typeof connectRealtime>[1] = {},
): Promise<RealtimeClient> => {
  const userId = await world.addUser(1e9)
  const cap = { owner: 'user', ref: String(userId), name: 'The cap', measure, limit_amount, span: 'call' } as const
  await world.ctx.database.query
    .insertInto('windows')
    .values({ ...cap, created_at: 1 })
    .execute()
  return (client = await connectRealtime(world.url, { key: await world.addToken(userId), ...options }))
}

/** Resolves with the limits that an upstream was told, in order, once it was told this many. */
const readLimits = (stand: RealtimeUpstream, count: number) =>
  eventually(async () => {
    const limits = (stand.sessions.at(-1)?.events ?? []).flatMap(limitIn)
    return limits.length >= count ? limits : null
  })

function limitIn({ session, response, setup }: JsonObject): unknown[] {
  const holder = session ?? response
  if (isObject(holder)) return [holder['max_output_tokens'] ?? holder['max_response_output_tokens']]
  if (!isObject(setup)) return []
  const { generationConfig } = setup
  return [isObject(generationConfig) ? generationConfig['maxOutputTokens'] : undefined]
}

describe('a cap on the answers of a call', () => {
  test('the cap holds for each response of a session, whatever its client asks for', async () => {
    const session = await open('completion_tokens', 70)
    expect(await readLimits(upstream, 1)).toEqual([70])
    session.send({ type: 'session.update', session: { type: 'realtime', max_output_tokens: 'inf' } })
    session.send({ type: 'session.update', session: { type: 'realtime', max_output_tokens: 20 } })
    session.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief' } })
    session.send({ type: 'response.create', response: { max_output_tokens: 500 } })
    await session.next('response.done')
    session.send({ type: 'response.create' })
    await session.next('response.done')
    expect(await readLimits(upstream, 6)).toEqual([70, 70, 20, 70, 70, 70])
  })

  test('the cap is sent by the name of the beta, and to Gemini in the setup of its clients and of others', async () => {
    await open('completion_tokens', 70, { headers: { 'openai-beta': 'realtime=v1' } })
    expect(await readLimits(upstream, 1)).toEqual([70])
    expect(upstream.sessions.at(-1)?.events[0]).toEqual({
      type: 'session.update',
      session: { max_response_output_tokens: 70 },
    })
    client?.close()
    const translated = await open('completion_tokens', 70, { model: 'gemini-2.0-flash-live-001' })
    translated.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    expect(await readLimits(gemini, 1)).toEqual([70])
    translated.close()
    const live = await open('completion_tokens', 70, {
      path: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
      query: '',
    })
    live.send({ setup: { model: 'models/gemini-2.0-flash-live-001', generationConfig: { maxOutputTokens: 300 } } })
    await live.next('setupComplete')
    expect(await readLimits(gemini, 1)).toEqual([70])
  })
})

test('a cap on the price of a call lowers the limit of responses as the conversation grows, then ends it', async () => {
  // 32 quota for each token that is spoken, 2 for each that is read.
  const session = await open('quota', 6400)
  const [first] = await readLimits(upstream, 1)
  expect(first).toBeWithin(190, 201)
  usage = { textIn: 1000, textOut: 100 }
  expect(await session.respond()).toMatchObject({ type: 'response.done' })
  const [, , lowered] = await readLimits(upstream, 3)
  expect(lowered).toBeWithin(1, 140)
  usage = { textIn: 9000, textOut: 1 }
  session.send({ type: 'response.create' })
  expect((await session.closed).reason).toBe('cap.price')
})

test('a cap on the prompt of a call ends a session whose conversation has grown beyond it', async () => {
  const session = await open('prompt_tokens', 50)
  usage = { textIn: 40, textOut: 30 }
  expect(await session.respond()).toMatchObject({ type: 'response.done' })
  expect(await session.next('error')).toMatchObject({ error: { message: expect.stringContaining('The cap') } })
  expect((await session.closed).reason).toBe('cap.prompt')
})
