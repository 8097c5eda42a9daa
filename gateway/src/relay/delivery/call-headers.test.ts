import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { aWindow } from '../../../test/windows'
import { sha256 } from '../../platform/store/seal'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

const time = new FakeTime()
let world: RelayWorld
let userId: number
beforeAll(async () => {
  world = await createRelayWorld({ time, clock: time })
  await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
  userId = await world.addUser(1e9)
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const messages = [{ role: 'user', content: 'hello' }]
const claude = { model: 'claude-sonnet-4-5', max_tokens: 9, messages }
const limited = { rate_limit_enabled: 1, rate_limit_period: 60, rate_limit_count: 5, rate_limit_success: 3 }
const ofAccount = { 'x-ratelimit-limit-requests': '10000', 'anthropic-ratelimit-requests-limit': '4000' }

/** Resolves with the headers whose names contain this. */
async function headersOf(pendingResponse: Promise<Response>, part: string): Promise<Record<string, string>> {
  const response = await pendingResponse
  await response.text()
  return Object.fromEntries([...response.headers].filter(([name]) => name.includes(part)))
}

const openAi = (remaining: number, limit = 3, seconds = 60) => ({
  'x-ratelimit-limit-requests': `${limit}`,
  'x-ratelimit-remaining-requests': `${remaining}`,
  'x-ratelimit-reset-requests': `${seconds}s`,
})

describe('the limits of a caller', () => {
  test.each([{}, { stream: true }])('a key sees what is left of its narrowest limit in %j', async (form) => {
    const key = await world.addToken(userId, limited)
    expect(await headersOf(world.chat(form, { key }), 'ratelimit')).toEqual(openAi(2))
    expect(await headersOf(world.chat(form, { key }), 'ratelimit')).toEqual(openAi(1))
    world.simulator.next({ fault: { kind: 'status', status: 400, body: '{}', headers: ofAccount } })
    expect(await headersOf(world.chat(form, { key }), 'ratelimit')).toEqual(openAi(0))
    expect(await headersOf(world.chat(form, { key }), 'ratelimit')).toEqual(openAi(0))
    expect(await headersOf(world.chat(form, { key }), 'ratelimit')).toEqual(openAi(0))
    const refused = await world.chat(form, { key })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await headersOf(Promise.resolve(refused), 'ratelimit')).toEqual(openAi(0))
  })

  test('Anthropic’s clients see them by its names, also with a count', async () => {
    const key = await world.addToken(userId, { ...limited, rate_limit_success: 0 })
    const expectedHeaders = (remaining: number) => ({
      'anthropic-ratelimit-requests-limit': '5',
      'anthropic-ratelimit-requests-remaining': `${remaining}`,
      'anthropic-ratelimit-requests-reset': new Date(time.clock.now() + 60_000).toISOString().replace('.000', ''),
    })
    expect(await headersOf(world.post('/v1/messages', claude, { key }), 'ratelimit')).toEqual(expectedHeaders(4))
    const counted = world.post('/v1/messages/count_tokens', claude, { key })
    expect(await headersOf(counted, 'ratelimit')).toEqual(expectedHeaders(3))
  })

  test('a caller without limits sees none, least of all those of an upstream’s account', async () => {
    world.simulator.when(() => true, { headers: ofAccount })
    expect(await headersOf(world.chat(), 'ratelimit')).toEqual({})
    expect(await headersOf(world.post('/v1/messages', claude), 'ratelimit')).toEqual({})
    world.simulator.when(() => true, { fault: { kind: 'status', status: 429, body: '{}', headers: ofAccount } })
    expect(await headersOf(world.chat(), 'ratelimit')).toEqual({})
  })
})

describe('the windows of a caller', () => {
  const aKey = async (...windows: readonly Parameters<typeof aWindow>[2][]) => {
    const id = await world.addUser(1e9)
    for (const columns of windows) await aWindow(world.ctx.database, id, columns)
    return world.addToken(id)
  }

  test.each([{}, { stream: true }])(
    'the narrowest of requests and of tokens are in the headers with %j',
    async (form) => {
      const key = await aKey(
        { limit_amount: 50, span: 'month' },
        { limit_amount: 5, span: 'five_hours' },
        { measure: 'completion_tokens', limit_amount: 1_000_000 },
        { measure: 'tokens', limit_amount: 2000 },
        { measure: 'concurrent', span: 'always', limit_amount: 4 },
      )
      const first = await headersOf(world.chat({ ...form, max_tokens: 40 }, { key }), 'ratelimit')
      const reset = String(18_000 - (time.clock.seconds() % 18_000))
      expect(first).toMatchObject({
        'x-ratelimit-limit-requests': '5',
        'x-ratelimit-remaining-requests': '4',
        'x-ratelimit-reset-requests': `${reset}s`,
        'x-ratelimit-limit-tokens': '2000',
      })
      const prompt = 2000 - 40 - Number(first['x-ratelimit-remaining-tokens'])
      expect(prompt).toBeWithin(1, 20)
      const { used } = await world.ctx.ledger.waitUntilApplied().then(() => usedTokens(key))
      const second = await headersOf(world.chat({ ...form, max_tokens: 40 }, { key }), 'ratelimit')
      expect(Number(second['x-ratelimit-remaining-tokens'])).toBe(2000 - used - 40 - prompt)
      expect(second['x-ratelimit-remaining-requests']).toBe('3')
    },
  )

  test('Anthropic’s clients see when they begin anew as a time; a window that never does has none, and a grace is not told', async () => {
    const key = await aKey(
      { limit_amount: 5 },
      { measure: 'tokens', span: 'always', limit_amount: 1e9, grace_percent: 10 },
    )
    const headers = await headersOf(world.post('/v1/messages', claude, { key }), 'ratelimit')
    expect(headers).toEqual({
      'anthropic-ratelimit-requests-limit': '5',
      'anthropic-ratelimit-requests-remaining': '4',
      'anthropic-ratelimit-requests-reset': `${new Date(time.clock.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`,
      'anthropic-ratelimit-tokens-limit': '1000000000',
      'anthropic-ratelimit-tokens-remaining': '1000000000',
    })
  })

  test('a rate limit that has less left is told instead, and one that has more is not', async () => {
    const id = await world.addUser(1e9)
    await aWindow(world.ctx.database, id, { limit_amount: 4 })
    const key = await world.addToken(id, { ...limited, rate_limit_success: 0 })
    expect(await headersOf(world.chat({}, { key }), 'limit-requests')).toEqual({ 'x-ratelimit-limit-requests': '4' })
    await world.addToken(id)
    const narrow = await world.addToken(id, { ...limited, rate_limit_success: 0, rate_limit_count: 2 })
    expect(await headersOf(world.chat({}, { key: narrow }), 'limit-requests')).toEqual({
      'x-ratelimit-limit-requests': '2',
    })
  })

  /** Resolves with the tokens that the calls of a key used. */
  async function usedTokens(key: string): Promise<{ used: number }> {
    const { query } = world.ctx.database
    const { id } = await query
      .selectFrom('tokens')
      .select('id')
      .where('key_hash', '=', sha256(key.slice('sk-'.length)))
      .executeTakeFirstOrThrow()
    const rows = (await world.logs()).filter(({ token_id: tokenId }) => tokenId === id)
    return { used: rows.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0) }
  }
})

describe('the id of a call', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(world.url + path, { headers: { authorization: `Bearer ${world.key}`, ...headers } })
  const anthropic = { 'anthropic-version': '2023-06-01' }

  test.each<[string, () => Promise<Response>]>([
    ['an answer', () => world.post('/v1/messages', claude)],
    ['a stream', () => world.post('/v1/messages', { ...claude, stream: true })],
    ['a count', () => world.post('/v1/messages/count_tokens', claude)],
    ['an error', () => world.post('/v1/messages', claude, { key: 'sk-wrong' })],
    ['the list of models', () => get('/v1/models', anthropic)],
    ['a model', () => get('/v1/models/claude-sonnet-4-5', anthropic)],
    ['an unknown address', () => get('/v1/nothing', anthropic)],
  ])('%s has it where Anthropic’s SDKs look for it', async (_name, send) => {
    const { 'request-id': id, 'x-request-id': own } = await headersOf(send(), 'request-id')
    expect(id).toBeString()
    expect(id).toBe(own)
  })
})

describe('a client that should not try again by itself', () => {
  test.each([
    [60, null],
    [61, 'false'],
  ])('a wait of %i seconds has x-should-retry %j', async (seconds, expected) => {
    const key = await world.addToken(userId, { ...limited, rate_limit_period: seconds, rate_limit_count: 1 })
    await (await world.chat({}, { key })).text()
    const refused = await world.chat({}, { key })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, `${seconds}`])
    expect(refused.headers.get('x-should-retry')).toBe(expected)
  })
})

test.each([{}, { stream: true }])('what OpenAI says of its own work is passed on with %j', async (form) => {
  world.simulator.next({ headers: { 'openai-processing-ms': '12', 'openai-organization': 'org-of-the-operator' } })
  const headers = await headersOf(world.chat(form), 'openai-')
  expect(headers).toEqual({ 'openai-processing-ms': '12' })
})
