import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

const time = new FakeTime()
let world: RelayWorld
let userId: number
beforeAll(async () => {
  world = await createRelayWorld({ time })
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
