import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { channelStatus, readLogDetails, userStatus } from '@tollgate/contract'
import { RealtimeUpstream, type RealtimeUsage } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { connectRealtime } from '../../../test/realtime-client'
import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../test/relay-world'
import { findTexts } from '../../platform/telemetry/log-texts/stored-texts'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

const models = 'gpt-realtime,gpt-4o-realtime-preview'

/** Quota of a response of gpt-realtime by its shipped prices, in US dollars for a million tokens. */
function quotaOf({
  textIn = 0,
  audioIn = 0,
  cachedText = 0,
  cachedAudio = 0,
  textOut = 0,
  audioOut = 0,
}: RealtimeUsage) {
  const cached = cachedText + cachedAudio
  const dollars = (textIn - cachedText) * 4 + (audioIn - cachedAudio) * 32 + cached * 0.4 + textOut * 16 + audioOut * 64
  return Math.round(dollars / 2)
}

describe('realtime sessions', () => {
  let world: RelayWorld
  let upstream: RealtimeUpstream
  let channelId: number
  beforeAll(async () => {
    upstream = RealtimeUpstream.start()
    world = await createRelayWorld()
    channelId = await world.addChannel({ models, base_url: upstream.url })
    await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })
  beforeEach(() => upstream.refuse(null))

  const connect = (options: Parameters<typeof connectRealtime>[1] = {}) =>
    connectRealtime(world.url, { key: world.key, ...options })

  test('passes events through, and charges each response once by kinds of tokens', async () => {
    const { userId, key } = await world.addPayer(10_000_000)
    const usages: RealtimeUsage[] = [
      { textIn: 100, audioIn: 50, textOut: 20, audioOut: 200 },
      { textIn: 300, audioIn: 800, cachedText: 200, cachedAudio: 700, textOut: 30, audioOut: 10 },
    ]
    using client = await connect({ key })
    expect(await client.next('session.created')).toMatchObject({ session: { model: 'gpt-realtime' } })
    for (const usage of usages) {
      upstream.next({ usage })
      expect(await client.respond()).toMatchObject({ response: { status: 'completed' } })
    }
    const rows = await world.chargesOf(userId, 2)
    expect(rows.map(({ quota }) => quota)).toEqual(usages.map(quotaOf))
    expect(rows[1]).toMatchObject({
      prompt_tokens: 1100,
      completion_tokens: 40,
      is_stream: 1,
      model_name: 'gpt-realtime',
    })
    expect(readLogDetails(rows[1]?.other ?? '')).toMatchObject({
      ws: true,
      audio: true,
      audio_input: 100,
      audio_output: 10,
      cache_tokens: 200,
      cache_audio_tokens: 700,
      endpoint: '/v1/realtime',
      dialect: 'openai-realtime',
    })
    client.close()
    const spent = usages.reduce((sum, usage) => sum + quotaOf(usage), 0)
    await eventually(
      async () => (await world.ctx.ledger.balanceOf([userId])).get(userId) === 10_000_000 - spent || null,
    )
  })

  test('calls the upstream with the channel’s key and none of the client’s headers', async () => {
    const at = upstream.sessions.length
    using client = await connect({ headers: { 'x-client': 'secret', 'openai-beta': 'realtime=v1' } })
    await client.next('session.created')
    const seen = await upstream.session(at)
    expect(seen.url.pathname + seen.url.search).toBe('/v1/realtime?model=gpt-realtime')
    expect(seen.headers.get('authorization')).toBe(`Bearer ${upstreamKey}`)
    expect([seen.headers.get('x-client'), seen.headers.get('openai-beta')]).toEqual([null, null])
  })

  test.each([
    ['/openai/v1/realtime', '?model=gpt-realtime', 'api-key'],
    ['/openai/realtime', '?api-version=2025-04-01-preview&deployment=gpt-realtime', 'api-key'],
    ['/openai/realtime', `?api-version=2025-04-01-preview&deployment=gpt-realtime&api-key=`, null],
  ])('a client of Azure opens a session at %s%s', async (path, query, header) => {
    const at = upstream.sessions.length
    const headers = header === null ? {} : { [header]: world.key }
    using client = await connectRealtime(world.url, { path, query: header ? query : query + world.key, headers })
    expect(await client.next('session.created')).toMatchObject({ session: { model: 'gpt-realtime' } })
    expect((await upstream.session(at)).url.search).toBe('?model=gpt-realtime')
  })

  test('the beta is requested for a client that speaks it from a model that has it', async () => {
    const at = upstream.sessions.length
    const protocols = ['realtime', `openai-insecure-api-key.${world.key}`, 'openai-beta.realtime-v1']
    using client = await connectRealtime(world.url, { model: 'gpt-4o-realtime-preview', protocols })
    await client.next('session.created')
    expect(client.protocol).toBe('realtime')
    expect((await upstream.session(at)).headers.get('openai-beta')).toBe('realtime=v1')
  })

  test('a response whose end is sent twice is charged once', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    using client = await connect({ key })
    upstream.next({ fault: 'repeat' })
    await client.respond()
    await client.next('response.done')
    await client.respond()
    expect(await world.chargesOf(userId, 2)).toHaveLength(2)
  })

  test('quota that is held while its session ends is given back', async () => {
    // A second response has to be held in the database.
    const { userId, key } = await world.addPayer(60_000)
    upstream.next({ usage: { audioOut: 100 } })
    using client = await connect({ key })
    const gate = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const { query } = world.ctx.database
    const held = query.transaction().execute(async (transaction) => {
      await transaction.updateTable('users').set({ group: 'default' }).where('id', '=', userId).execute()
      locked.resolve()
      await gate.promise
    })
    await locked.promise
    await client.respond()
    client.close()
    await client.closed
    gate.resolve()
    await held
    const left = 60_000 - quotaOf({ audioOut: 100 })
    const { ledger } = world.ctx
    await eventually(async () => ((await ledger.balanceOf([userId])).get(userId) === left ? true : null))
    expect(ledger.stats().reserved).toBe(0)
  })

  test('a conversation is logged where the site wants it', async () => {
    await world.setOptions({ LogChatContentEnabled: 'true' })
    const { userId, key } = await world.addPayer(1_000_000)
    upstream.next({ text: 'Good day' })
    using client = await connect({ key })
    const content = [{ type: 'input_text', text: 'Hello' }]
    client.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
    await client.respond()
    const [row] = await world.chargesOf(userId, 1)
    const { query } = world.ctx.database
    const texts = await eventually(() => findTexts(query, row?.request_id ?? '', world.ctx.seal))
    expect(texts).toMatchObject({ input_content: 'Hello', output_content: 'Good day' })
    await world.setOptions({ LogChatContentEnabled: 'false' })
  })

  test('responses without ids are charged each', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    using client = await connect({ key })
    for (let count = 0; count < 2; count += 1) {
      upstream.next({ fault: 'no-id' })
      await client.respond()
    }
    expect(await world.chargesOf(userId, 2)).toHaveLength(2)
  })

  test('a session whose caller has nothing left is closed after the response that is paid', async () => {
    const { userId, key } = await world.addPayer(20_000)
    upstream.next({ usage: { textIn: 1000, audioOut: 700 } })
    using client = await connect({ key })
    await client.respond()
    expect(await client.next('error')).toMatchObject({ error: { code: 'insufficient_quota' } })
    expect((await client.closed).code).toBe(1008)
    const [row] = await world.chargesOf(userId, 1)
    expect(row?.quota).toBe(quotaOf({ textIn: 1000, audioOut: 700 }))
  })

  test('usage that is not reported is estimated and marked', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    upstream.next({ usage: null, audio: 20, text: 'One two three four' })
    using client = await connect({ key })
    client.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000).toString('base64') })
    await client.respond()
    const [row] = await world.chargesOf(userId, 1)
    // Two seconds were spoken, one was heard.
    const details = readLogDetails(row?.other ?? '')
    expect(details).toMatchObject({ estimated: true, usage_estimated: 'all' })
    expect(details.audio_output).toBeGreaterThanOrEqual(40)
    expect(details.audio_output).toBeLessThan(45)
    expect(details.audio_input).toBeGreaterThanOrEqual(10)
    expect(details.audio_input).toBeLessThan(12)
  })

  test('the response that runs when its client leaves is cancelled, and charged by what it reports', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    const usage = { textIn: 10, audioOut: 30 }
    upstream.next({ usage, gate: new Promise(() => {}) })
    const at = upstream.sessions.length
    using client = await connect({ key })
    client.send({ type: 'response.create' })
    await client.next('response.output_audio.delta')
    client.close()
    const [row] = await world.chargesOf(userId, 1)
    expect(row?.quota).toBe(quotaOf(usage))
    await (
      await upstream.session(at)
    ).ended
  })

  test('what came of a response is charged when the upstream breaks off', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    upstream.next({ fault: 'break', audio: 10 })
    using client = await connect({ key })
    client.send({ type: 'response.create' })
    expect((await client.closed).code).toBe(1011)
    const [row] = await world.chargesOf(userId, 1)
    expect(readLogDetails(row?.other ?? '')).toMatchObject({ estimated: true, ending: 'broken' })
    expect(row?.quota).toBeGreaterThan(0)
  })

  test('a session ends with its upstream', async () => {
    upstream.next({ fault: 'close' })
    using client = await connect()
    await client.respond()
    expect((await client.closed).code).toBe(1000)
  })

  test('a session of a user who is banned is closed', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    using client = await connect({ key })
    await client.next('session.created')
    await world.ctx.database.query.transaction().execute(async (transaction) => {
      await transaction.updateTable('users').set({ status: userStatus.disabled }).where('id', '=', userId).execute()
      await world.ctx.changes.announce({ topic: 'user', refId: userId }, transaction)
    })
    await world.ctx.changes.deliver()
    expect(await client.next('error')).toMatchObject({ error: { code: 'caller.revoked' } })
    expect((await client.closed).code).toBe(1008)
  })

  test('a session whose channel is disabled ends after the response that runs', async () => {
    const gate = Promise.withResolvers<void>()
    upstream.next({ gate: gate.promise })
    using client = await connect()
    client.send({ type: 'response.create' })
    await client.next('response.output_audio.delta')
    await world.changeChannel(channelId, { status: channelStatus.disabled })
    world.inFlight.sessions.follow(world.ctx.catalog.current)
    gate.resolve()
    await client.next('response.done')
    expect(await client.next('error')).toMatchObject({ error: { code: 'realtime.channel' } })
    expect((await client.closed).code).toBe(1001)
    await world.changeChannel(channelId, { status: channelStatus.enabled })
  })

  test('a gateway that stops lets the response that runs end', async () => {
    const gate = Promise.withResolvers<void>()
    upstream.next({ gate: gate.promise })
    using busy = await connect()
    using idle = await connect()
    busy.send({ type: 'response.create' })
    await busy.next('response.output_audio.delta')
    world.inFlight.sessions.drain()
    expect((await idle.closed).code).toBe(1001)
    gate.resolve()
    await busy.next('response.done')
    expect(await busy.next('error')).toMatchObject({ error: { code: 'gateway.draining' } })
    expect((await busy.closed).code).toBe(1001)
  })

  describe('an event that may not go on is refused, and the session goes on:', () => {
    test.each([
      ['text that is not JSON', 'hello', 'realtime.malformed'],
      ['a name twice', '{"type":"response.create","type":"response.cancel"}', 'realtime.malformed'],
      ['deep nesting', `{"type":"x","a":${'['.repeat(200)}${']'.repeat(200)}}`, 'structure_too_large'],
      [
        'more than 4 MB',
        { type: 'conversation.item.create', item: { id: 'x'.repeat(4_200_000) } },
        'structure_too_large',
      ],
      ['a hundred thousand parts', `{"type":"x","a":[${'[],'.repeat(100_000)}[]]}`, 'structure_too_large'],
      ['another model', { type: 'session.update', session: { model: 'gpt-realtime-2' } }, 'realtime.model'],
      [
        'a model without a price for transcriptions',
        { type: 'session.update', session: { audio: { input: { transcription: { model: 'homemade' } } } } },
        'model.unpriced',
      ],
      [
        'a model without a price for transcripts of the beta',
        {
          type: 'transcription_session.update',
          session: { input_audio_transcription: { model: 'homemade' } },
        },
        'model.unpriced',
      ],
      ['a prompt that no one offers', { type: 'session.update', session: { prompt: { id: 'pmpt_1' } } }, 'object.none'],
      [
        'a prompt of one response that no one offers',
        { type: 'response.create', response: { prompt: { id: 'pmpt_1' }, conversation: 'none' } },
        'object.none',
      ],
      [
        'a forbidden word',
        { type: 'conversation.item.create', item: { content: [{ type: 'input_text', text: 'test_sensitive' }] } },
        'sensitive_words_detected',
      ],
    ])('a session is sent an error for %s', async (_what, event, code) => {
      const at = upstream.sessions.length
      using client = await connect()
      client.send(event)
      expect(await client.next('error')).toMatchObject({ error: { code } })
      await client.respond()
      const types = (await upstream.session(at)).events.map(({ type }) => type)
      expect(types).toEqual(['response.create'])
    })
  })

  test('a binary message closes the session', async () => {
    using client = await connect()
    client.send(new Uint8Array([1, 2, 3]))
    expect(await client.next('error')).toMatchObject({ error: { code: 'realtime.binary' } })
    expect((await client.closed).code).toBe(1003)
  })

  const handshake = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${world.url}/v1/realtime${query}`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        authorization: `Bearer ${world.key}`,
        ...headers,
      },
    })

  test.each([
    ['without a key', '?model=gpt-realtime', { authorization: '' }, 401, 'invalid_api_key'],
    ['without a model', '', {}, 400, 'request.model_missing'],
    ['for a model that no channel has', '?model=gpt-none', {}, 404, 'model_not_found'],
    ['for a model without sessions', '?model=claude-sonnet-4-5', {}, 501, 'api_not_implemented'],
  ])('a handshake %s is refused over HTTP', async (_what, query, headers, status, code) => {
    const response = await handshake(query, headers)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  test('a handshake whose caller has nothing left is refused over HTTP', async () => {
    const { key } = await world.addPayer(0)
    const response = await handshake('?model=gpt-realtime', { authorization: `Bearer ${key}` })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { code: 'insufficient_quota' } })
  })

  test('the error of an upstream that refuses the handshake is that of the response', async () => {
    upstream.refuse({
      status: 400,
      error: { message: 'Unknown parameter', type: 'invalid_request_error', code: 'unknown' },
    })
    const response = await handshake('?model=gpt-realtime')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'unknown' } })
  })

  test('a plain request is told to connect', async () => {
    const response = await fetch(`${world.url}/v1/realtime?model=gpt-realtime`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'realtime.upgrade' } })
  })
})
