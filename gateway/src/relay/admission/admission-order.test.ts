import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
let poor: string
let limited: string
beforeAll(async () => {
  world = await createRelayWorld()
  poor = await world.addToken(await world.addUser(0))
  limited = await world.addToken(await world.addUser(1_000_000), {
    rate_limit_enabled: 1,
    rate_limit_period: 3600,
    rate_limit_count: 1,
  })
})
afterAll(() => world[Symbol.asyncDispose]())

/** A body that fails validation as soon as it is parsed. */
const rubbish = '{'.repeat(20_000)

async function refusal(pendingResponse: Promise<Response>) {
  const { status, ok } = await pendingResponse
  return ok ? 200 : status
}

test('a call over its rate limit is refused before its body is read', async () => {
  expect(await refusal(world.post('/v1/messages/count_tokens', rubbish, { key: limited }))).toBe(400)
  for (const path of ['/v1/chat/completions', '/v1/messages/count_tokens'])
    expect(await refusal(world.post(path, rubbish, { key: limited }))).toBe(429)
})

test('a call on an empty balance is refused before a large body is read', async () => {
  const response = await world.post('/v1/chat/completions', rubbish, { key: poor })
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('insufficient_quota')])
})

test.each(['/suno/submit/music', '/v1/videos', '/v1/realtime/client_secrets'])(
  'a large body for %s is not read on an empty balance',
  async (path) => {
    expect(await refusal(world.post(path, rubbish, { key: poor }))).toBe(403)
  },
)

test('a prompt is searched for forbidden words only when it is certain that it can be paid', async () => {
  await world.setOptions({
    CheckSensitiveEnabled: 'true',
    CheckSensitiveOnPromptEnabled: 'true',
    SensitiveWords: 'forbiddenword',
  })
  const body = { messages: [{ role: 'user', content: `forbiddenword ${'x '.repeat(20_000)}` }] }
  const onePoint = await world.addToken(await world.addUser(1))
  expect(await refusal(world.chat(body, { key: onePoint }))).toBe(403)
  expect(await refusal(world.chat(body))).toBe(400)
  await world.setOptions({ CheckSensitiveEnabled: 'false' })
})

test('secrets of clients count towards the rate limit, and their configuration is bounded', async () => {
  const session = { type: 'realtime', model: 'gpt-4o', instructions: 'x'.repeat(2 * 1024 * 1024) }
  const path = '/v1/realtime/client_secrets'
  expect(await refusal(world.post(path, { session }))).toBe(413)
  expect(await refusal(world.post(path, rubbish, { key: limited }))).toBe(429)
})

test('a caller with an empty balance can still call models that cost nothing', async () => {
  await world.setOptions({ GroupRatio: '{"default":0}' })
  expect(await refusal(world.post('/v1/chat/completions', rubbish, { key: poor }))).toBe(400)
  expect(await refusal(world.chat({ messages: [{ role: 'user', content: 'x '.repeat(20_000) }] }, { key: poor }))).toBe(
    200,
  )
  await world.setOptions({ GroupRatio: '{"default":1}' })
  expect(await refusal(world.post('/v1/chat/completions', rubbish, { key: poor }))).toBe(403)
})

test('an address that sent many wrong keys is refused look-ups but can still use its known keys', async () => {
  await using other = await createRelayWorld()
  const cold = await other.addToken(await other.addUser(1_000_000))
  expect(await refusal(other.chat())).toBe(200)
  for (let guess = 0; guess < 100; guess += 1) expect(await refusal(other.chat({}, { key: `sk-${guess}` }))).toBe(401)
  const refused = await other.chat({}, { key: 'sk-another' })
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await refused.text()).toContain('"rate_limit_exceeded"')
  expect(await refusal(other.chat({}, { key: cold }))).toBe(429)
  expect(await refusal(other.chat())).toBe(200)
})

test('the playground does not read the body of a request without a session', async () => {
  expect(await refusal(world.post('/pg/chat/completions', rubbish))).toBe(401)
})

const counting = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] }
const contents = { contents: [{ parts: [{ text: 'hello' }] }] }

test.each([
  ['/v1/messages/count_tokens', counting],
  ['/v1beta/models/gpt-4o:countTokens', contents],
])('%s is refused on an empty balance and counts towards the rate limit', async (path, body) => {
  expect(await refusal(world.post(path, body, { key: poor }))).toBe(403)
  const key = await world.addToken(await world.addUser(100), {
    rate_limit_enabled: 1,
    rate_limit_period: 3600,
    rate_limit_count: 2,
    rate_limit_success: 1,
  })
  expect(await refusal(world.post(path, body, { key }))).toBe(200)
  expect(await refusal(world.post(path, body, { key }))).toBe(429)
})
