import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'

import { readLogDetails } from '@tollgate/contract'

import { eventually } from '../../../test/eventually'
import { findTexts } from '../../platform/telemetry/log-texts/stored-texts'
import { createRelayWorld, type PostOptions, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
  await world.addChannel({ type: 24, models: 'gemini-2.5-flash' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  world.simulator.reset()
  await world.setOptions({ ...defaults, ResponseCacheEnabled: 'true' })
})

const defaults = {
  ResponseCacheGroups: '{}',
  ResponseCacheShared: 'false',
  ResponseCacheTools: 'false',
  ResponseCachePriceFactor: '0',
  ResponseCacheKilobytes: '256',
  ResponseCacheMegabytes: '64',
  ResponseCacheMinutes: '60',
}

/** Resolves with a user and a key that uses the cache. */
async function aCacher(quota = 1_000_000, choice: 'on' | 'off' | 'group' = 'on') {
  const userId = await world.addUser(quota)
  return { userId, key: await world.addToken(userId, { response_cache: choice }) }
}

let texts = 0
/** A conversation that no other test has. */
const aChat = (more: object = {}) => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: `question ${(texts += 1)}` }],
  ...more,
})

const upstreamCalls = () => world.simulator.requests.length

async function read(pending: Promise<Response>) {
  const response = await pending
  const text = await response.text()
  const { headers } = response
  return {
    status: response.status,
    text,
    cache: headers.get('x-cache'),
    age: headers.get('age'),
    type: headers.get('content-type'),
  }
}

const post = (path: string, body: unknown, options: PostOptions) => read(world.post(path, body, options))
const chat = (body: object, options: PostOptions) => post('/v1/chat/completions', body, options)

/** Resolves with how the same call is served twice. */
async function twice(path: string, body: unknown, options: PostOptions) {
  const first = await post(path, body, options)
  return { first, second: await post(path, body, options) }
}

const calls: Readonly<
  Record<string, readonly [path: string, body: (text: string, isStream: boolean) => object, streamPath?: string]>
> = {
  chat: [
    '/v1/chat/completions',
    (content, stream) => ({ model: 'gpt-4o', messages: [{ role: 'user', content }], stream }),
  ],
  responses: ['/v1/responses', (input, stream) => ({ model: 'gpt-4o', input, store: false, stream })],
  messages: [
    '/v1/messages',
    (content, stream) => ({
      model: 'claude-sonnet-4-5',
      max_tokens: 99,
      messages: [{ role: 'user', content }],
      stream,
    }),
  ],
  gemini: [
    '/v1beta/models/gemini-2.5-flash:generateContent',
    (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  ],
  'chat translated for Anthropic': [
    '/v1/chat/completions',
    (content, stream) => ({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content }], stream }),
  ],
}

describe('a response that was kept', () => {
  for (const [name, [path, bodyOf, streamPath = path]] of Object.entries(calls)) {
    test(`a stored response serves the same call again with the same bytes: ${name}`, async () => {
      const { key } = await aCacher()
      const { first, second } = await twice(path, bodyOf(`${name} whole`, false), { key })
      expect([first.status, first.cache, first.age]).toEqual([200, 'miss', null])
      expect(second).toEqual({ ...first, cache: 'hit', age: '0' })
      expect(upstreamCalls()).toBe(1)
    })

    test(`a stored stream is replayed as the stream that it was: ${name}`, async () => {
      const { key } = await aCacher()
      const body = bodyOf(`${name} streamed`, true)
      const { first, second } = await twice(streamPath, body, { key })
      expect([first.status, first.cache, first.type]).toEqual([200, 'miss', 'text/event-stream'])
      expect(second).toEqual({ ...first, cache: 'hit', age: '0' })
      expect(upstreamCalls()).toBe(1)
      const plain = await post(path, bodyOf(`${name} streamed`, false), { key })
      expect([plain.status, plain.cache]).toEqual([200, 'miss'])
    })
  }

  test('embeddings are cached, and chats in the form in which a client streams them', async () => {
    const { key } = await aCacher()
    const vectors = await twice('/v1/embeddings', { model: 'text-embedding-3-small', input: ['kept'] }, { key })
    expect([vectors.first.cache, vectors.second.cache]).toEqual(['miss', 'hit'])
    const lines = await twice('/api/chat', { model: 'gpt-4o', messages: [{ role: 'user', content: 'lines' }] }, { key })
    expect(lines.second).toEqual({ ...lines.first, cache: 'hit', age: '0' })
    expect(lines.first.type).toBe('application/x-ndjson')
  })

  test('a response is found under other notes, and not with another body, header, path or group', async () => {
    const userId = await world.addUser(1e6)
    const key = await world.addToken(userId, { response_cache: 'on' })
    const body = aChat({ seed: 1 })
    expect((await chat(body, { key })).cache).toBe('miss')
    expect((await chat({ ...body, user: 'somebody', metadata: { a: '1' } }, { key })).cache).toBe('hit')
    expect((await chat({ ...body, seed: 2 }, { key })).cache).toBe('miss')
    expect((await post('/openai/deployments/gpt-4o/chat/completions', body, { key })).cache).toBe('miss')
    const sibling = await world.addToken(userId, { response_cache: 'on' })
    expect((await chat(body, { key: sibling })).cache).toBe('hit')
    const claude = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: body.messages }
    const beta = (name: string) => post('/v1/messages', claude, { key, headers: { 'anthropic-beta': name } })
    expect([(await beta('a')).cache, (await beta('b')).cache, (await beta('a')).cache]).toEqual(['miss', 'miss', 'hit'])
  })

  test('reaches no other user, unless the site shares responses', async () => {
    const [one, other] = [await aCacher(), await aCacher()]
    const body = aChat()
    const send = async ({ key }: { key: string }) => (await chat(body, { key })).cache
    expect([await send(one), await send(other), await send(other)]).toEqual(['miss', 'miss', 'hit'])
    await world.setOptions({ ResponseCacheShared: 'true' })
    expect([await send(one), await send(other)]).toEqual(['miss', 'hit'])
  })

  test('reaches no other key that is limited to some models: such keys are given to others', async () => {
    const userId = await world.addUser(1e6)
    const limits = { response_cache: 'on', model_limits_enabled: 1, model_limits: 'gpt-4o' } as const
    const keys = [await world.addToken(userId, limits), await world.addToken(userId, limits)]
    const body = aChat()
    const found: (string | null)[] = []
    for (const key of [...keys, ...keys]) found.push((await chat(body, { key })).cache)
    expect(found).toEqual(['miss', 'miss', 'hit', 'hit'])
  })
})

describe('who uses the cache', () => {
  const outcomes = async (choice: 'on' | 'off' | 'group') => {
    const { key } = await aCacher(1e6, choice)
    const { first, second } = await twice('/v1/chat/completions', aChat(), { key })
    return [first.cache, second.cache]
  }

  test('keys that switch it on, and those of listed groups that do not switch it off', async () => {
    expect(await outcomes('on')).toEqual(['miss', 'hit'])
    expect(await outcomes('group')).toEqual([null, null])
    await world.setOptions({ ResponseCacheGroups: '{"default":5}' })
    expect(await outcomes('group')).toEqual(['miss', 'hit'])
    expect(await outcomes('off')).toEqual([null, null])
  })

  test('no key where the site has none', async () => {
    await world.setOptions({ ResponseCacheEnabled: 'false', ResponseCacheGroups: '{"default":5}' })
    expect(await outcomes('on')).toEqual([null, null])
  })

  test('a response is kept for the minutes of the group, and otherwise of the site', async () => {
    using keep = spyOn(world.ctx.responses, 'keep')
    const { key } = await aCacher()
    for (const ResponseCacheGroups of ['{"vip":3}', '{"default":3}']) {
      await world.setOptions({ ResponseCacheMinutes: '10', ResponseCacheGroups })
      expect((await chat(aChat(), { key })).cache).toBe('miss')
    }
    expect(keep.mock.calls.map(([, , { ttlMs }]) => ttlMs)).toEqual([10 * 60_000, 3 * 60_000])
  })

  test('older responses leave where the room of the site is full', async () => {
    await world.setOptions({ ResponseCacheMegabytes: '1' })
    const { key } = await aCacher()
    const bodies = Array.from({ length: 5 }, () => aChat())
    for (const body of bodies) {
      world.simulator.next({ text: 'x'.repeat(250_000) })
      await chat(body, { key })
    }
    expect(world.ctx.responses.held.bytes).toBeLessThanOrEqual(1024 * 1024)
    expect((await chat(bodies[4] ?? {}, { key })).cache).toBe('hit')
    expect((await chat(bodies[0] ?? {}, { key })).cache).toBe('miss')
  })

  test('responses are forgotten when an operator empties the cache, or switches it off', async () => {
    const { responses, changes, database } = world.ctx
    const announce = async (topic: 'responses' | 'catalog') => {
      await database.query.transaction().execute((transaction) => changes.announce({ topic, refId: 0 }, transaction))
      await changes.deliver()
    }
    await outcomes('on')
    await announce('catalog')
    expect(responses.held.entries).toBeGreaterThan(0)
    await announce('responses')
    expect(responses.held).toEqual({ entries: 0, bytes: 0 })
    await outcomes('on')
    await world.setOptions({ ResponseCacheEnabled: 'false' })
    await announce('catalog')
    expect(responses.held).toEqual({ entries: 0, bytes: 0 })
  })

  test('a call that says no-cache gets a new response, which is kept, and one that says no-store takes no part', async () => {
    const { key } = await aCacher()
    const body = aChat()
    const send = async (control?: string) =>
      (await chat(body, { key, ...(control && { headers: { 'cache-control': control } }) })).cache
    expect([await send(), await send('no-cache'), await send(), await send('max-age=0, no-store')]).toEqual([
      'miss',
      'miss',
      'hit',
      null,
    ])
    expect(upstreamCalls()).toBe(3)
  })
})

describe('what is never kept', () => {
  const never = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const { key } = await aCacher()
    const { first, second } = await twice(path, body, { key, headers })
    return [first.cache, second.cache]
  }

  test.each([
    ['a search on the web', { web_search_options: {} }],
    ['a stored response', { store: true }],
    [
      'a picture by its address',
      {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }],
      },
    ],
  ])('a response to %s', async (_, more) => {
    expect(await never('/v1/chat/completions', aChat(more))).toEqual([null, null])
  })

  test.each([
    ['that the vendor keeps', { store: undefined }, ['miss', 'miss']],
    ['with a tool of the vendor', { tools: [{ type: 'web_search' }] }, [null, null]],
  ])('a response %s', async (_, more, expected) => {
    expect(await never('/v1/responses', { model: 'gpt-4o', input: 'kept?', store: false, ...more })).toEqual(expected)
  })

  test('unless the call or the site asks for tools of vendors', async () => {
    const body = { model: 'gpt-4o', input: 'tools', store: false, tools: [{ type: 'web_search' }] }
    expect(await never('/v1/responses', body, { 'x-cache': 'tools' })).toEqual(['miss', 'hit'])
    await world.setOptions({ ResponseCacheTools: 'true' })
    expect(await never('/v1/responses', body)).toEqual(['miss', 'hit'])
  })

  test('errors, and responses that broke off, were cut short or are too long', async () => {
    const { key } = await aCacher()
    const failing = aChat()
    world.simulator.next({ fault: { kind: 'status', status: 400 } })
    expect((await chat(failing, { key })).status).toBe(400)
    expect((await chat(failing, { key })).cache).toBe('miss')

    const broken = aChat({ stream: true })
    world.simulator.next({ tokens: 20, fault: { kind: 'cut', afterFrames: 5 } })
    await world.chat(broken, { key }).then((response) => response.text().catch(() => ''))
    expect((await chat(broken, { key })).cache).toBe('miss')

    for (const stream of [false, true]) {
      const short = aChat({ stream })
      world.simulator.next({ ending: 'length' })
      expect((await chat(short, { key })).cache).toBe('miss')
      expect((await chat(short, { key })).cache).toBe('miss')
    }

    await world.setOptions({ ResponseCacheKilobytes: '1' })
    for (const stream of [false, true]) {
      const long = aChat({ stream })
      world.simulator.next({ tokens: 1000 })
      expect((await chat(long, { key })).cache).toBe('miss')
      expect((await chat(long, { key })).cache).toBe('miss')
    }
  })

  test('responses to calls that name a channel', async () => {
    const userId = await world.addUser(1e6, { role: 100 })
    const key = await world.addToken(userId, { response_cache: 'on' })
    const body = aChat()
    expect((await chat(body, { key: `${key}-1` })).cache).toBeNull()
  })
})

describe('a response from the cache', () => {
  const rowsOf = async (userId: number, count: number) =>
    (await world.chargesOf(userId, count)).map((row) => ({ ...row, details: readLogDetails(row.other) }))

  test.each([
    ['is free', '0', 0],
    ['costs a share of its price', '0.5', 0.5],
    ['costs its price', '1', 1],
  ])('%s, and has a row that says so', async (_, factor, share) => {
    await world.setOptions({ ResponseCachePriceFactor: factor })
    const { userId, key } = await aCacher()
    await twice('/v1/chat/completions', aChat(), { key })
    const [served, cached] = await rowsOf(userId, 2)
    const price = served?.quota ?? NaN
    expect(price).toBeGreaterThan(0)
    expect(cached).toMatchObject({
      quota: Math.round(price * share),
      channel_id: 0,
      prompt_tokens: served?.prompt_tokens,
      completion_tokens: served?.completion_tokens,
      details: {
        cached_age: 0,
        cached_quota: price,
        cached_factor: share,
        admin_info: { cached_from: served?.channel_id, cost: 0 },
      },
    })
    expect(await world.balanceOf(userId)).toBe(1_000_000 - price - Math.round(price * share))
  })

  test('a hit is priced as the channel is now, and is not given where the caller may not call the model any more', async () => {
    await world.setOptions({ ResponseCachePriceFactor: '1' })
    const channel = await world.addChannel({ models: 'gpt-4o-mini', priority: 9 })
    const { userId, key } = await aCacher()
    const body = aChat({ model: 'gpt-4o-mini' })
    const send = () => chat(body, { key })
    await send()
    await world.setOptions({ GroupRatio: '{"default":2,"vip":1}' })
    expect((await send()).cache).toBe('hit')
    await world.setOptions({ GroupRatio: '{"default":1,"vip":1}' })
    const [first, second] = await rowsOf(userId, 2)
    expect(second?.quota).toBe((first?.quota ?? NaN) * 2)
    await world.changeChannel(channel, { system_prompt: 'Speak plainly.' })
    expect((await send()).cache).toBe('miss')
    expect((await send()).cache).toBe('hit')
    await world.changeChannel(channel, { model_mapping: '{"gpt-4o-mini":"gpt-4o"}' })
    expect((await send()).cache).toBe('miss')
    await world.changeChannel(channel, { status: 2 })
    expect((await send()).cache).toBe('miss')
    await world.addToken(userId)
    const limited = await world.addToken(userId, {
      response_cache: 'on',
      model_limits_enabled: 1,
      model_limits: 'gpt-4o',
    })
    expect((await chat(body, { key: limited })).status).toBe(403)
  })

  test('a hit is not given to a call for which its channel passes other headers on', async () => {
    const setting = JSON.stringify({ rewrites: [{ header_pass: ['x-tenant'] }] })
    const channel = await world.addChannel({ models: 'gpt-4o-mini', priority: 9, setting })
    const { key } = await aCacher()
    const body = aChat({ model: 'gpt-4o-mini' })
    const send = async (tenant: string, other = '') =>
      (await chat(body, { key, headers: { 'x-tenant': tenant, 'x-other': other } })).cache
    expect([await send('one'), await send('one', 'b'), await send('two'), await send('two')]).toEqual([
      'miss',
      'hit',
      'miss',
      'hit',
    ])
    await world.changeChannel(channel, { status: 2 })
  })

  test('a hit is refused to callers whom a channel would not serve: words, limits, balance', async () => {
    const { key } = await aCacher()
    const body = aChat()
    await chat(body, { key })
    await world.setOptions({ SensitiveWords: 'question' })
    expect((await chat(body, { key })).status).toBe(400)
    await world.setOptions({ SensitiveWords: 'test_sensitive' })
    expect((await chat(body, { key })).cache).toBe('hit')
    const userId = await world.addUser(1e6)
    const slow = await world.addToken(userId, {
      response_cache: 'on',
      rate_limit_enabled: 1,
      rate_limit_count: 2,
      rate_limit_success: 0,
    })
    const statuses = [await chat(body, { key: slow }), await chat(body, { key: slow }), await chat(body, { key: slow })]
    expect(statuses.map(({ status, cache }) => [status, cache])).toEqual([
      [200, 'miss'],
      [200, 'hit'],
      [429, null],
    ])
    const poor = await aCacher(0)
    expect((await chat(body, { key: poor.key })).status).toBe(403)
  })

  test('a hit says what it saved in the metrics, and its conversation is logged where the site logs them', async () => {
    await world.setOptions({ LogChatContentEnabled: 'true' })
    const { userId, key } = await aCacher()
    const before = world.ctx.metrics.responseCache.totals
    for (const stream of [true, false]) await twice('/v1/chat/completions', aChat({ stream }), { key })
    await world.setOptions({ LogChatContentEnabled: 'false' })
    const rows = await rowsOf(userId, 4)
    const { hits, misses, savedPrice } = world.ctx.metrics.responseCache.totals
    const saved = rows.reduce((sum, { details }) => sum + (details.cached_quota ?? 0), 0)
    expect(saved).toBeGreaterThan(0)
    expect([hits - before.hits, misses - before.misses, savedPrice - before.savedPrice]).toEqual([2, 2, saved])
    const { query } = world.ctx.database
    const texts = rows.map(({ request_id: id }) =>
      eventually(async () => (await findTexts(query, id, world.ctx.seal))?.output_content),
    )
    const [streamed, replayed, whole, repeated] = await Promise.all(texts)
    expect([replayed, repeated]).toEqual([streamed, whole])
    expect(streamed).not.toBe('')
  })
})
