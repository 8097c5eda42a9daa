import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { kinds, onceOf } from '../../../test/kinds'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { aPeriod, aWindow } from '../../../test/windows'
import { endless } from '../../billing/ledger/window/schedule'

describe.each(kinds)('what clients of OpenRouter read (%s)', (kind) => {
  const once = onceOf(kind)

  let world: RelayWorld
  let userId: number
  beforeAll(async () => {
    world = await createRelayWorld({ kind })
    userId = await world.addUser(1e9)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const get = async (path: string, key = world.key): Promise<unknown> =>
    (await fetch(world.url + path, { headers: { authorization: `Bearer ${key}` } })).json()

  once('a key reads all that clients of OpenRouter expect of it, and what it spent lately', async () => {
    const key = await world.addToken(userId, { name: 'recent' })
    const response = await world.chat({}, { key })
    await response.text()
    const { data } = (await get('/api/v1/key', key)) as { data: Record<string, unknown> }
    // The members without which @openrouter/sdk refuses the answer.
    expect(Object.keys(data).toSorted()).toEqual(
      [
        ['allowed_data_regions', 'byok_usage', 'byok_usage_daily', 'byok_usage_monthly', 'byok_usage_weekly'],
        ['creator_user_id', 'expires_at', 'free_model_daily_requests', 'include_byok_in_limit', 'is_free_tier'],
        ['is_management_key', 'is_provisioning_key', 'label', 'limit', 'limit_remaining', 'limit_reset'],
        ['organization_id', 'rate_limit', 'usage', 'usage_daily', 'usage_monthly', 'usage_weekly'],
        ['windows', 'workspace_id'],
      ].flat(),
    )
    expect(data['usage']).toBeGreaterThan(0)
    for (const name of ['usage_daily', 'usage_weekly', 'usage_monthly']) expect(data[name]).toBe(data['usage'])
  })

  test('a key reads what is left of its limits and those of its user', async () => {
    const owner = await world.addUser(1e9)
    const key = await world.addToken(owner, { name: 'limited' })
    const { database } = world.ctx
    const token = await database.query.selectFrom('tokens').select('id').where('user_id', '=', owner).executeTakeFirst()
    const ofUser = await aWindow(database, owner, { name: 'Ever', span: 'always', limit_amount: 5 })
    await aWindow(database, token?.id ?? 0, { owner: 'token', name: 'Daily', measure: 'tokens', limit_amount: 1000 })
    const now = world.ctx.clock.seconds()
    await aPeriod(database, ofUser.id, {
      subject_id: owner,
      now,
      ends_at: endless,
      seconds: endless,
      capacity: 5,
      used: 2,
    })
    const { data } = (await get('/api/v1/key', key)) as { data: Record<string, unknown> }
    const daily = { name: 'Daily', measure: 'tokens', span: 'day', limit: 1000, used: 0, remaining: 1000 }
    expect(data['windows']).toEqual([
      { ...daily, resets_at: expect.stringMatching(/T00:00:00\.000Z$/) },
      { name: 'Ever', measure: 'requests', span: 'always', limit: 5, used: 2, remaining: 3, resets_at: null },
    ])
  })

  once.each<[string, string, object, number, object]>([
    ['chat/completions', 'sk-wrong', {}, 401, { error_type: 'invalid_api_key', param: null }],
    ['chat/completions', '', { messages: 1 }, 400, { error_type: 'invalid_type', param: 'messages' }],
    ['responses', '', { model: 'none', input: 'hi' }, 404, { error_type: 'model_not_found', param: 'model' }],
    ['nothing', '', {}, 404, { error_type: 'endpoint.unknown', param: null }],
  ])('an error at /api/v1/%s has its status as a number for a code', async (path, key, body, status, metadata) => {
    const request = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body }
    const response = await world.post(`/api/v1/${path}`, request, { key: key || world.key })
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: { code: status, message: expect.any(String), metadata } },
    ])
    const usual = await world.post(`/v1/${path}`, request, { key: key || world.key })
    expect(await usual.json()).toMatchObject({ error: { code: metadata['error_type' as never] } })
  })

  once('an error in the form of Claude’s clients is the same at both addresses', async () => {
    const headers = { 'anthropic-version': '2023-06-01' }
    const response = await world.post('/api/v1/messages', { model: 'gpt-4o' }, { headers })
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
  })

  once('a call can be looked up by its id, with its cost in US dollars, by its own user alone', async () => {
    const response = await world.chat()
    await response.text()
    const id = response.headers.get('x-request-id') ?? ''
    const row = (await world.logs()).find((one) => one.request_id === id)
    const cost = (row?.quota ?? 0) / 500_000
    expect(cost).toBeGreaterThan(0)
    expect(await get(`/api/v1/generation?id=${id}`)).toMatchObject({
      data: { id, model: 'gpt-4o', total_cost: cost, usage: cost, tokens_prompt: row?.prompt_tokens, streamed: false },
    })
    const stranger = await world.addToken(await world.addUser(1000))
    for (const [path, key] of [
      [`/api/v1/generation?id=${id}`, stranger],
      ['/api/v1/generation?id=unknown', world.key],
      ['/api/v1/generation', world.key],
    ] as const)
      expect(await get(path, key)).toMatchObject({ error: { code: 404, metadata: { error_type: 'object.none' } } })
  })

  test('a key that is limited to some models looks up its own calls alone', async () => {
    const limited = await world.addToken(userId, { model_limits_enabled: 1, model_limits: 'gpt-4o' })
    const keys = [await world.addToken(userId), limited]
    const ids = await Promise.all(
      keys.map(async (key) => {
        const response = await world.chat({}, { key })
        await response.text()
        return response.headers.get('x-request-id')
      }),
    )
    expect(await get(`/api/v1/generation?id=${ids[0]}`, limited)).toMatchObject({
      error: { metadata: { error_type: 'object.none' } },
    })
    expect(await get(`/api/v1/generation?id=${ids[1]}`, limited)).toMatchObject({ data: { id: ids[1] } })
    expect(await get(`/api/v1/generation?id=${ids[1]}`, keys[0])).toMatchObject({ data: { id: ids[1] } })
  })

  once('clients of OpenRouter list, count and look up models at its addresses', async () => {
    const { data: all } = (await get('/v1/models')) as { data: { id: string }[] }
    expect(await get('/api/v1/models/user')).toMatchObject({ data: all })
    expect(await get('/api/v1/models/count')).toEqual({ data: { count: all.length } })
    expect(await get('/api/v1/embeddings/models')).toMatchObject({ data: [{ id: 'text-embedding-3-small' }] })
    expect(await get('/api/v1/model/gpt-4o')).toMatchObject({ data: { id: 'gpt-4o' } })
  })
})
