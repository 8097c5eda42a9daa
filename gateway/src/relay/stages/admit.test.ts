import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { isObject } from '@tollgate/dialects'

import { createRelayWorld, models, type PostOptions, type RelayWorld } from '../../../test/relay-world'
import { startSession } from '../../accounts/sessions/sessions'

let world: RelayWorld
let user: number
let serial = 0
beforeAll(async () => {
  world = await createRelayWorld({ environment: { MAX_REQUEST_BODY_MB: '1' } })
  user = await world.addUser(1e9)
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

async function refusal(pendingResponse: Response | Promise<Response>) {
  const response = await pendingResponse
  const body: unknown = await response.json()
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {}
  expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
  expect(error['message']).toContain(response.headers.get('x-request-id') ?? '?')
  expect(world.simulator.requests).toHaveLength(0)
  return { status: response.status, code: error['code'] }
}

const withToken = async (values: Parameters<RelayWorld['addToken']>[1], options: PostOptions = {}, body: object = {}) =>
  world.chat(body, { key: await world.addToken(user, values), ...options })

describe('a key', () => {
  test.each([
    ['', 'invalid_api_key'],
    ['sk-', 'invalid_api_key'],
    ['sk-unknown', 'invalid_api_key'],
    ["sk-' or 1=1 --", 'invalid_api_key'],
  ])('%p is refused as a key', async (key, code) => {
    expect(await refusal(world.chat({}, { key }))).toEqual({ status: 401, code })
  })

  test.each([
    [{ status: 2 }, 401, 'invalid_api_key'],
    [{ status: 3 }, 401, 'invalid_api_key'],
    [{ status: 4 }, 403, 'insufficient_quota'],
    [{ expired_time: 1000 }, 401, 'invalid_api_key'],
    [{ allow_ips: '10.0.0.0/8\n192.168.1.1' }, 403, 'caller.ip'],
    [{ model_limits_enabled: 1, model_limits: 'gpt-4o-mini' }, 403, 'caller.model'],
    [{ model_limits_enabled: 1, model_limits: '' }, 403, 'caller.model'],
    [{ group: 'svip' }, 403, 'caller.group'],
    [{ group: 'gone' }, 403, 'caller.group_gone'],
  ])('a key with %j is refused', async (values, status, code) => {
    expect(await refusal(withToken(values))).toEqual({ status, code })
  })

  test.each([
    { allow_ips: '127.0.0.0/8' },
    { allow_ips: '10.0.0.1\n127.0.0.1, ' },
    { allow_ips: 'not an address' },
    { model_limits_enabled: 1, model_limits: 'gpt-4o,gpt-4o-mini' },
    { expired_time: 4_000_000_000 },
  ])('a key with %j is accepted', async (values) => {
    expect((await withToken(values)).status).toBe(200)
  })

  test('a key is found wherever SDKs put it', async () => {
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'x' }] })
    const call = (headers: Record<string, string>, query = '') =>
      fetch(`${world.url}/v1/chat/completions${query}`, { method: 'POST', headers, body })
    const bare = world.key.slice(3)
    const responses = await Promise.all([
      call({ authorization: `bearer ${bare}` }),
      call({ 'x-api-key': world.key }),
      call({ 'x-goog-api-key': world.key }),
      call({}, `?key=${world.key}`),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(world.simulator.requests.map(({ query }) => query).join('')).not.toContain('key')
  })

  test('a key of a banned or deleted user is refused', async () => {
    const banned = await world.addToken(await world.addUser(1000, { status: 2 }))
    expect(await refusal(world.chat({}, { key: banned }))).toEqual({ status: 403, code: 'caller.banned' })
    const deleted = await world.addToken(await world.addUser(1000, { deleted_at: 5 }))
    expect(await refusal(world.chat({}, { key: deleted }))).toEqual({ status: 401, code: 'invalid_api_key' })
  })

  test('a key can name a channel only for administrators', async () => {
    expect(await refusal(world.chat({}, { key: `${world.key}-1` }))).toEqual({
      status: 403,
      code: 'caller.channel_pin',
    })
    const admin = await world.addToken(await world.addUser(1e9, { role: 10 }))
    expect((await world.chat({}, { key: `${admin}-1` })).status).toBe(200)
    world.simulator.reset()
    expect(await refusal(world.chat({}, { key: `${admin}-99` }))).toEqual({ status: 400, code: 'channel_pin.unknown' })
    expect(await refusal(world.chat({}, { key: `${admin}-x` }))).toEqual({ status: 400, code: 'channel_pin.unknown' })
    const off = await world.addChannel({ status: 2 })
    expect(await refusal(world.chat({}, { key: `${admin}-${off}` }))).toEqual({
      status: 403,
      code: 'channel_pin.disabled',
    })
  })

  test('an administrator’s key stays limited to its models on a pinned channel', async () => {
    const limits = { model_limits_enabled: 1, model_limits: 'gpt-4o-mini' }
    const admin = await world.addToken(await world.addUser(1e9, { role: 10 }), limits)
    expect(await refusal(world.chat({}, { key: `${admin}-1` }))).toEqual({ status: 403, code: 'caller.model' })
    expect((await world.chat({ model: 'gpt-4o-mini' }, { key: `${admin}-1` })).status).toBe(200)
  })

  test('a key with a rate is refused beyond it and told when to retry', async () => {
    const values = { rate_limit_enabled: 1, rate_limit_period: 3600, rate_limit_count: 2, rate_limit_success: 0 }
    const key = await world.addToken(user, values)
    for (let call = 0; call < 2; call += 1) expect((await world.chat({}, { key })).status).toBe(200)
    world.simulator.reset()
    const third = await world.chat({}, { key })
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(await refusal(third)).toEqual({ status: 429, code: 'rate_limit_exceeded' })
  })

  test('a success limit counts after the response: failures do not use it up', async () => {
    const values = { rate_limit_enabled: 1, rate_limit_period: 3600, rate_limit_count: 0, rate_limit_success: 1 }
    const key = await world.addToken(user, values)
    world.simulator.next({ fault: { kind: 'status', status: 400 } })
    expect((await world.chat({}, { key })).status).toBe(400)
    expect((await world.chat({}, { key })).status).toBe(200)
    expect((await world.chat({}, { key })).status).toBe(429)
  })
})

test('a user’s rate applies across all keys', async () => {
  await world.setOptions({ ModelRequestRateLimitEnabled: 'true', ModelRequestRateLimitCount: '1' })
  const limited = await world.addUser(1e9)
  const [first, second] = [await world.addToken(limited), await world.addToken(limited)]
  expect((await world.chat({}, { key: first })).status).toBe(200)
  expect((await world.chat({}, { key: second })).status).toBe(429)
  await world.setOptions({ ModelRequestRateLimitEnabled: 'false' })
})

describe('forbidden words', () => {
  test.each(['please TEST_sensitive this', 'call 555-1234'])(
    'a prompt with the forbidden text %p is refused',
    async (content) => {
      await world.setOptions({ SensitiveWords: 'test_sensitive\nregex:\\d{3}-\\d{4}\nregex:(' })
      const messages = [{ role: 'user', content: [{ type: 'text', text: content }] }]
      expect(await refusal(world.chat({ messages }))).toEqual({ status: 400, code: 'sensitive_words_detected' })
    },
  )

  test('the prompt of a caller who cannot pay is not searched, and a refused one leaves nothing held', async () => {
    const poor = await world.addUser(1)
    const messages = [{ role: 'user', content: 'test_sensitive' }]
    const key = await world.addToken(poor)
    expect(await refusal(world.chat({ messages }, { key }))).toMatchObject({ status: 403 })
    const rich = await world.addUser(1e9)
    await refusal(world.chat({ messages }, { key: await world.addToken(rich) }))
    expect(await world.ctx.ledger.balanceOf([rich])).toEqual(new Map([[rich, 1e9]]))
  })
})

describe('bad input', () => {
  const bodies: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['half an object', '{"model":"gpt-4o"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '7'],
    ['a byte order mark and garbage', '\uFEFF{{'],
    ['no model', '{"messages":[{"role":"user","content":"x"}]}'],
    ['a model that is not a string', '{"model":7,"messages":[{"role":"user","content":"x"}]}'],
    ['messages that are not an array', '{"model":"gpt-4o","messages":"x"}'],
    ['no messages', '{"model":"gpt-4o","messages":[]}'],
    ['a negative limit', '{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"max_tokens":-1}'],
    ['a huge limit', '{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"max_tokens":1e300}'],
    ['a stream that is not a boolean', '{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"stream":"yes"}'],
    ['deep nesting', `{"model":"gpt-4o","messages":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ]
  test.each(bodies)('a body with %s is refused with a 400', async (_, body) => {
    expect((await refusal(world.post('/v1/chat/completions', body))).status).toBe(400)
  })

  test('a body beyond the limit is a 413', async () => {
    const content = 'x'.repeat(1024 * 1024 + 10)
    expect(await refusal(world.chat({ messages: [{ role: 'user', content }] }))).toMatchObject({ status: 413 })
  })

  test('a small compressed body that expands beyond the limit is a 413', async () => {
    const packed = Bun.gzipSync(Buffer.from(JSON.stringify({ model: 'gpt-4o', x: 'x'.repeat(3_000_000) })))
    const pendingResponse = fetch(`${world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-encoding': 'gzip' },
      body: packed,
    })
    expect(await refusal(pendingResponse)).toMatchObject({ status: 413 })
  })

  test('property names of JavaScript objects are unknown models', async () => {
    for (const model of ['__proto__', 'constructor', 'toString']) {
      expect(await refusal(world.chat({ model }))).toEqual({ status: 404, code: 'model_not_found' })
    }
  })

  test.each([
    ['GET', '/v1/chat/completions', 405],
    ['POST', '/v1/models', 405],
    ['POST', '/v1/uploads', 501],
    ['GET', '/v1/uploads/upload_1/parts', 501],
    ['POST', '/v1/fine_tuning/jobs', 501],
    ['POST', '/v1/threads/thread_1/runs', 501],
    ['POST', '/v1/vector_stores', 501],
    ['POST', '/v1/filesystem', 404],
    ['DELETE', '/v1/models/gpt-4o', 501],
    ['POST', '/v1/unheard', 404],
    ['GET', '/', 404],
  ])('%s %s is a %i', async (method, path, status) => {
    const headers = { authorization: `Bearer ${world.key}` }
    expect((await refusal(fetch(world.url + path, { method, headers }))).status).toBe(status)
  })

  test('an endpoint that is not served responds in the dialect of its SDK', async () => {
    const bodyOf = async (path: string, headers: Record<string, string>): Promise<unknown> =>
      (await fetch(world.url + path, { method: 'POST', headers })).json()
    expect(await bodyOf('/v1/uploads', {})).toMatchObject({ error: { code: 'api_not_implemented' } })
    expect(await bodyOf('/v1/uploads', { 'anthropic-version': '2023-06-01' })).toMatchObject({ type: 'error' })
    const google = { error: { code: 501, status: 'UNIMPLEMENTED' } }
    for (const path of ['/v1beta/cachedContents', '/upload/v1beta/files', '/v1beta/models/m:batchGenerateContent'])
      expect(await bodyOf(path, {})).toMatchObject(google)
  })

  test.each([
    ['/v1beta/models/m:predictLongRunning', 501],
    ['/v1beta/interactions', 501],
    ['/v1beta/models/m:unheard', 404],
    ['/v1beta/models/m', 405],
  ])('a post to %s of Google’s clients is a %i', async (path, status) => {
    const response = await world.post(path, {})
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code: status } }])
  })

  test.each(['/v1/uploads', '/v1/evals'])('SDKs are told not to repeat a call of %s', async (path) => {
    const response = await world.post(path, {})
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([501, 'false'])
  })

  test('clients of Anthropic find the id of the request where their SDK looks for it', async () => {
    const body = { model: 'gpt-4o', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] }
    for (const key of [world.key, 'sk-unknown']) {
      const { headers } = await world.post('/v1/messages', body, { key })
      expect(headers.get('request-id')).toBe(headers.get('x-request-id') ?? 'none')
    }
  })

  test('error messages are Chinese for clients that prefer it', async () => {
    const response = await world.chat({}, { key: 'sk-unknown', headers: { 'accept-language': 'zh-CN,zh' } })
    expect(await response.text()).toMatch(/\p{Script=Han}/u)
  })
})

describe('what a key can read', () => {
  const get = async (path: string, key = world.key): Promise<unknown> =>
    (await fetch(world.url + path, { headers: { authorization: `Bearer ${key}` } })).json()

  test('a key can read the models it may call', async () => {
    expect(await get('/v1/models')).toMatchObject({
      object: 'list',
      total_count: models.split(',').length,
      data: models
        .split(',')
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map((id) => ({ id, object: 'model', owned_by: 'openai' })),
    })
    const limited = await world.addToken(user, { model_limits_enabled: 1, model_limits: 'gpt-4o,unserved' })
    expect(await get('/v1/models', limited)).toMatchObject({ data: [{ id: 'gpt-4o' }] })
    expect(await get('/v1/models/gpt-4o')).toMatchObject({ id: 'gpt-4o' })
    expect(await get('/v1/models/gpt-9')).toMatchObject({ error: { code: 'model_not_found' } })
  })

  test('a model is listed with its maker, its windows and its price for the group of the key', async () => {
    await world.addChannel({ models: 'gpt-4o', model_mapping: '', group: 'vip' })
    await world.setOptions({ GroupRatio: '{"default":1,"vip":2}' })
    const getModel = async (group: string) => get('/v1/models/gpt-4o', await world.addToken(user, { group }))
    expect(await getModel('default')).toMatchObject({
      owned_by: 'openai',
      created: Date.parse('2024-05-13') / 1000,
      context_length: 128_000,
      max_output_tokens: 16_384,
      architecture: { input_modalities: expect.arrayContaining(['text', 'image']), output_modalities: ['text'] },
      pricing: { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000125' },
    })
    expect(await getModel('vip')).toMatchObject({ pricing: { prompt: '0.000005', completion: '0.00002' } })
  })

  test('the maker of a model is its owner, whichever channel serves it', async () => {
    await world.addChannel({ models: 'claude-sonnet-4-5,our-own-model' })
    expect(await get('/v1/models/claude-sonnet-4-5')).toMatchObject({ owned_by: 'anthropic', context_length: 200_000 })
    expect(await get('/v1/models/our-own-model')).toMatchObject({
      owned_by: 'openai',
      context_length: null,
      pricing: { prompt: '-1', completion: '-1' },
    })
  })

  test('clients of Anthropic and Google read windows in their own members', async () => {
    const read = async (path: string, headers: Record<string, string>): Promise<unknown> =>
      (await fetch(world.url + path, { headers: { authorization: `Bearer ${world.key}`, ...headers } })).json()
    expect(await read('/v1/models/gpt-4o', { 'anthropic-version': '2023-06-01' })).toMatchObject({
      type: 'model',
      max_input_tokens: 128_000,
      max_tokens: 16_384,
      lifecycle: 'active',
    })
    expect(await read('/v1beta/models/gpt-4o', {})).toMatchObject({
      name: 'models/gpt-4o',
      inputTokenLimit: 128_000,
      outputTokenLimit: 16_384,
    })
  })

  test('a key can read its limit and its user’s credits, as clients of OpenRouter request them', async () => {
    const key = await world.addToken(user, { unlimited_quota: 0, remain_quota: 1_000_000, used_quota: 500_000 })
    for (const path of ['/api/v1/key', '/api/v1/auth/key', '/v1/key'])
      expect(await get(path, key)).toMatchObject({ data: { limit: 3, limit_remaining: 2, usage: 1 } })
    expect(await get('/api/v1/key')).toMatchObject({ data: { limit: null, limit_remaining: null } })
    expect(await get('/api/v1/credits', key)).toEqual({
      data: { total_credits: expect.any(Number), total_usage: expect.any(Number) },
    })
  })

  test('a key can read its balance, as old clients request it', async () => {
    const key = await world.addToken(user, { unlimited_quota: 0, remain_quota: 1_000_000, used_quota: 500_000 })
    for (const prefix of ['', '/v1']) {
      expect(await get(`${prefix}/dashboard/billing/subscription`, key)).toMatchObject({ hard_limit_usd: 3 })
      expect(await get(`${prefix}/dashboard/billing/usage`, key)).toEqual({ object: 'list', total_usage: 100 })
    }
  })
})

describe('the playground', () => {
  async function play(body: object, headers: Record<string, string> = {}) {
    const id = await startSession(world.ctx, { userId: user, ip: '', userAgent: '' })
    const cookie = { cookie: `session=${id}`, 'tollgate-user': String(user) }
    return fetch(`${world.url}/pg/chat/completions`, {
      method: 'POST',
      headers: { ...cookie, ...headers },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'x' }], ...body }),
    })
  }

  test('the playground calls for a signed-in user, in the chosen group', async () => {
    const response = await play({ model: 'gpt-4o', group: 'default' })
    expect(response.status).toBe(200)
    expect(world.simulator.requests[0]?.json).not.toHaveProperty('group')
    expect((await world.logs()).at(-1)).toMatchObject({ token_id: 0, token_name: 'playground-default' })
  })

  test('the playground takes max_tokens 0 for the default of the model', async () => {
    expect((await play({ model: 'gpt-4o', max_tokens: 0 })).status).toBe(200)
    expect(world.simulator.requests.at(-1)?.json).not.toHaveProperty('max_tokens')
    expect((await play({ model: 'gpt-4o', max_tokens: 7 })).status).toBe(200)
    expect(world.simulator.requests.at(-1)?.json).toHaveProperty('max_tokens', 7)
  })

  test('the playground refuses requests without a session', async () => {
    expect(await refusal(play({ model: 'gpt-4o', group: 'svip' }))).toEqual({ status: 403, code: 'playground.group' })
    expect(await refusal(play({}))).toEqual({ status: 400, code: 'playground.model' })
    expect((await refusal(play({ model: 'gpt-4o' }, { 'tollgate-user': '999' }))).status).toBe(401)
    expect((await refusal(world.post('/pg/chat/completions', { model: 'gpt-4o' }))).status).toBe(401)
  })

  test('the playground refuses access tokens', async () => {
    const { sha256 } = await import('../../platform/store/seal')
    const token = `access-token-${(serial += 1)}`
    await world.addUser(1000, { access_token_hash: sha256(token) })
    const pendingResponse = world.post('/pg/chat/completions', { model: 'gpt-4o' }, { key: token })
    expect(await refusal(pendingResponse)).toEqual({ status: 400, code: 'playground.token' })
  })
})

test('no model can be called before the set-up', async () => {
  await using empty = await createRelayWorld({ isEmpty: true })
  const response = await empty.chat({}, { key: 'sk-any' })
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('gateway.setup')
})
