import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking } from '../test/asking'

const { simulator, send } = await asking({ authorization: 'Bearer ya29.robot@example.com' })
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const place = '/v1/projects/p/locations/us-central1'
const contents = [{ role: 'user', parts: [{ text: 'hello there' }] }]
const messages = [{ role: 'user', content: 'hello there' }]
const claude = { anthropic_version: 'vertex-2023-10-16', max_tokens: 100, messages }
const claudePath = `${place}/publishers/anthropic/models/claude-sonnet-4@20250514`

const claims = { iss: 'robot@example.com', scope: 's', aud: 'a', iat: 1, exp: 2 }
const tokenFor = (payload: object, grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer') => {
  const assertion = ['{"alg":"RS256"}', JSON.stringify(payload), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
  return fetch(`${simulator.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: grantType, assertion }),
  })
}

test('gives a token for an assertion', async () => {
  expect(await (await tokenFor(claims)).json()).toEqual({
    access_token: 'ya29.robot@example.com',
    expires_in: 3599,
    token_type: 'Bearer',
  })
  expect(await (await tokenFor({ ...claims, exp: undefined })).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await tokenFor(claims, 'password')).status).toBe(400)
})

test('a queued behaviour waits for the call that the token is for', async () => {
  simulator.next({ tokens: 2 })
  await tokenFor(claims)
  const { json } = await send(`${place}/publishers/google/models/gemini-2.5-pro:generateContent`, { contents })
  expect(json.usageMetadata.candidatesTokenCount).toBe(2)
})

test('Gemini, whole and as a stream', async () => {
  const path = `${place}/publishers/google/models/gemini-2.5-pro`
  const whole = await send(`${path}:generateContent`, { contents })
  expect(whole.json).toMatchObject({ modelVersion: 'gemini-2.5-pro', usageMetadata: { totalTokenCount: 14 } })
  const { events } = await send(`${path}:streamGenerateContent?alt=sse`, { contents })
  expect(events).toHaveLength(9)
  expect(simulator.served.byKey('ya29.robot@example.com')).toMatchObject({ completed: 2, completionTokens: 16 })
})

test('Claude, whole and as a stream', async () => {
  const whole = await send(`${claudePath}:rawPredict`, claude)
  expect(whole.json).toMatchObject({ type: 'message', model: 'claude-sonnet-4-20250514', usage: { output_tokens: 8 } })
  const { events } = await send(`${claudePath}:streamRawPredict?alt=sse`, { ...claude, stream: true })
  expect(events.at(-1)?.name).toBe('message_stop')
  expect(simulator.requests[1]).toMatchObject({ model: 'claude-sonnet-4@20250514', isStream: true })
  const refused = await send(`${claudePath}:rawPredict`, { ...claude, model: 'x' })
  expect(refused).toMatchObject({ status: 400, json: { type: 'error', error: { type: 'invalid_request_error' } } })
})

test('Vertex serves other models in the form of OpenAI', async () => {
  const { json } = await send(`${place}/endpoints/openapi/chat/completions`, { model: 'meta/llama', messages })
  expect(json).toMatchObject({ object: 'chat.completion', model: 'meta/llama' })
})

test('a request without a token is refused', async () => {
  const stranger = { authorization: '' }
  const google = await send(`${place}/publishers/google/models/m:generateContent`, { contents }, stranger)
  expect(google).toMatchObject({ status: 401, json: { error: { status: 'UNAUTHENTICATED' } } })
  expect((await send(`${claudePath}:rawPredict`, claude, stranger)).json.error.type).toBe('authentication_error')
})
