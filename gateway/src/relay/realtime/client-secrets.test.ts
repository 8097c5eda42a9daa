import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { tokenStatus } from '@tollgate/contract'
import { isObject } from '@tollgate/dialects'
import { RealtimeUpstream } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { connectRealtime } from '../../../test/realtime-client'
import { createRelayWorld, type PostOptions, type RelayWorld } from '../../../test/relay-world'
import { pruneFlows } from '../../app/jobs/prune'
import { sha256 } from '../../platform/store/seal'
import { WallClock } from '../../../test/fake-time'

describe.each(kinds)('secrets of clients (%s)', (kind) => {
  const once = onceOf(kind)

  let world: RelayWorld
  let upstream: RealtimeUpstream
  let clock: WallClock
  beforeAll(async () => {
    upstream = RealtimeUpstream.start()
    clock = new WallClock()
    world = await createRelayWorld({ kind, clock })
    await world.addChannel({ models: 'gpt-realtime,gpt-realtime-mini,gpt-4o-transcribe', base_url: upstream.url })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })
  beforeEach(() => {})

  const create = (body: object, options: PostOptions = {}) => world.post('/v1/realtime/client_secrets', body, options)
  async function aSecret(body: object = {}, options: PostOptions = {}): Promise<{ value: string; expires_at: number }> {
    const responseBody: unknown = await (
      await create({ session: { type: 'realtime', model: 'gpt-realtime' }, ...body }, options)
    ).json()
    if (!isObject(responseBody) || typeof responseBody['value'] !== 'string')
      throw new Error(JSON.stringify(responseBody))
    return { value: responseBody['value'], expires_at: Number(responseBody['expires_at']) }
  }
  const connect = (secret: string, query = '') =>
    connectRealtime(world.url, { query, protocols: ['realtime', `openai-insecure-api-key.${secret}`] })
  const status = async (secret: string, query = '') => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', authorization: `Bearer ${secret}` }
    return (await fetch(`${world.url}/v1/realtime${query}`, { headers })).status
  }

  once('a secret of a key with dashes, as other gateways make them, opens a session', async () => {
    await world.addToken(await world.addUser(1_000_000), { key_hash: sha256('team-blue-2') })
    const { value } = await aSecret({}, { key: 'sk-team-blue-2' })
    using client = await connect(value)
    await client.respond()
    expect(client.protocol).toBe('realtime')
  })

  once('a secret opens a session of its model with its configuration, charged to the owner of the key', async () => {
    const at = upstream.sessions.length
    const userId = await world.addUser(1_000_000)
    const key = await world.addToken(userId)
    const response = await create(
      { session: { type: 'realtime', model: 'gpt-realtime', instructions: 'be brief' } },
      { key },
    )
    expect(response.status).toBe(200)
    const responseBody: unknown = await response.json()
    const secret = isObject(responseBody) ? String(responseBody['value']) : ''
    expect(secret).toMatch(/^ek_[A-Za-z0-9]{24}$/)
    expect(responseBody).toMatchObject({
      session: { type: 'realtime', object: 'realtime.session', model: 'gpt-realtime', instructions: 'be brief' },
    })
    using client = await connect(secret)
    expect(client.protocol).toBe('realtime')
    await client.respond()
    const { url, events } = await upstream.session(at)
    expect(url.searchParams.get('model')).toBe('gpt-realtime')
    expect(events).toEqual([
      { type: 'session.update', session: { type: 'realtime', instructions: 'be brief' } },
      { type: 'response.create', event_id: expect.stringMatching(/^event_\w+$/) },
    ])
    const row = await eventually(async () => (await world.logs()).find((one) => one.user_id === userId) ?? null)
    expect(row.quota).toBeGreaterThan(0)
  })

  test('a secret for transcripts names the model that writes them', async () => {
    const input = { transcription: { model: 'gpt-4o-transcribe' } }
    const secret = await aSecret({ session: { type: 'transcription', audio: { input } } })
    const at = upstream.sessions.length
    using client = await connect(secret.value, '?intent=transcription')
    await client.next('session.updated')
    const { url, events } = await upstream.session(at)
    expect(url.search).toBe('?intent=transcription')
    expect(events[0]).toMatchObject({ session: { type: 'transcription', audio: { input } } })
  })

  once('a secret is good for several sessions until it expires, and is removed then', async () => {
    const secret = await aSecret({ expires_after: { anchor: 'created_at', seconds: 10 } })
    expect(secret.expires_at - clock.seconds()).toBe(10)
    for (let count = 0; count < 2; count += 1) (await connect(secret.value)).close()
    clock.jump(12_000)
    expect(await status(secret.value)).toBe(401)
    await pruneFlows(world.ctx).run(new AbortController().signal)
    const rows = await world.ctx.database.query.selectFrom('realtime_secrets').select('hash').execute()
    expect(rows.map(({ hash }) => hash)).not.toContain(sha256(secret.value))
  })

  once('a secret is good for its model alone, and for nothing but sessions', async () => {
    const { value } = await aSecret()
    expect(await status(value, '?model=gpt-realtime-mini')).toBe(403)
    expect((await world.chat({}, { key: value })).status).toBe(401)
    expect((await create({ session: { model: 'gpt-realtime' } }, { key: value })).status).toBe(401)
  })

  test.each([
    ['ends with its key', { status: tokenStatus.disabled }, 401],
    ['opens no session from an address that its key excludes', { allow_ips: '203.0.113.9' }, 403],
    ['opens no session of a model that its key excludes', { model_limits: 'gpt-4o', model_limits_enabled: 1 }, 403],
  ])('a secret %s', async (_what, change, refused) => {
    const userId = await world.addUser(1_000_000)
    const { value } = await aSecret({}, { key: await world.addToken(userId) })
    ;(await connect(value)).close()
    const { id } = await world.ctx.database.query
      .selectFrom('tokens')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    await world.ctx.database.query.transaction().execute(async (transaction) => {
      await transaction.updateTable('tokens').set(change).where('id', '=', id).execute()
      await world.ctx.changes.announce({ topic: 'token', refId: id }, transaction)
    })
    await world.ctx.changes.deliver()
    expect(await status(value)).toBe(refused)
  })

  test('only the hash of a secret is stored, and what it is good for is sealed', async () => {
    const { value } = await aSecret({ session: { model: 'gpt-realtime', instructions: 'hidden words' } })
    const rows = await world.ctx.database.query.selectFrom('realtime_secrets').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(value)
    expect(JSON.stringify(rows)).not.toContain('hidden words')
  })

  once.each([
    ['without a model', { session: {} }, 400, 'request.model_missing'],
    ['for a model that no channel has', { session: { model: 'gpt-none' } }, 404, 'model_not_found'],
    [
      'for too short a time',
      { expires_after: { seconds: 9 }, session: { model: 'gpt-realtime' } },
      400,
      'realtime.secret_seconds',
    ],
    [
      'for too long a time',
      { expires_after: { seconds: 7201 }, session: { model: 'gpt-realtime' } },
      400,
      'realtime.secret_seconds',
    ],
    [
      'with a forbidden word in its instructions',
      { session: { model: 'gpt-realtime', instructions: 'test_sensitive' } },
      400,
      'sensitive_words_detected',
    ],
  ])('a secret %s is refused', async (_what, body, expected, code) => {
    const response = await create(body)
    expect(response.status).toBe(expected)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  test('sessions of a user and of a key are limited, on all workers together', async () => {
    const userId = await world.addUser(100_000_000)
    const [one, other] = [await world.addToken(userId), await world.addToken(userId)]
    const open = (key: string) => connectRealtime(world.url, { key })
    await world.setOptions({ RealtimeUserSessions: '2', RealtimeTokenSessions: '1' })
    using first = await open(one)
    expect(await status(one, '?model=gpt-realtime')).toBe(429)
    using second = await open(other)
    await world.setOptions({ RealtimeTokenSessions: '0' })
    expect(await status(one, '?model=gpt-realtime')).toBe(429)
    first.close()
    const third = await eventually(() => open(one).catch(() => null))
    third.close()
    second.close()
    // What another worker has open counts too, as long as it says so.
    const { query } = world.ctx.database
    await eventually(async () =>
      (await query.selectFrom('realtime_sessions').selectAll().execute()).length === 0 ? true : null,
    )
    const now = clock.seconds()
    const elsewhere = (id: string, seen_at: number) => ({ id, user_id: userId, token_id: 0, seen_at })
    await query
      .insertInto('realtime_sessions')
      .values([elsewhere('a', now), elsewhere('b', now), elsewhere('c', 1)])
      .execute()
    expect(await status(one, '?model=gpt-realtime')).toBe(429)
    await query
      .updateTable('realtime_sessions')
      .set({ seen_at: now - 101 })
      .execute()
    ;(await open(one)).close()
    await world.setOptions({ RealtimeUserSessions: '20' })
  })
})
