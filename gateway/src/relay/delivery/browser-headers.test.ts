import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const script = '<script>fetch(`/api/user/token`)</script>'
const page = { choices: [{ message: { role: 'assistant', content: script }, finish_reason: 'stop' }], usage: {} }

function expectHarmless(response: Response) {
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(response.headers.get('cache-control')).toContain('no-store')
}

describe('the content type of an upstream’s response', () => {
  test.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'multipart/x-mixed-replace'])(
    '%s reaches the client as JSON',
    async (contentType) => {
      world.simulator.next({ fault: { kind: 'body', contentType, text: JSON.stringify(page) } })
      const response = await world.chat()
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(await response.text()).toContain(script)
      expectHarmless(response)
    },
  )

  test('a content type cannot be smuggled in through an error', async () => {
    world.simulator.next({
      fault: { kind: 'status', status: 400, body: script, headers: { 'content-type': 'text/html' } },
    })
    const response = await world.chat()
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json'])
    expectHarmless(response)
  })
})

describe('browsers', () => {
  const get = (path: string) => () => fetch(world.url + path, { headers: { authorization: `Bearer ${world.key}` } })
  const messages = [{ role: 'user', content: 'hello' }]
  const cases: Record<string, () => Promise<Response>> = {
    'a whole response': () => world.chat(),
    'a stream': () => world.chat({ stream: true }),
    'a translated response': () => world.post('/v1/messages', { model: 'gpt-4o', max_tokens: 9, messages }),
    'a translated stream': () => world.post('/v1/messages', { model: 'gpt-4o', max_tokens: 9, messages, stream: true }),
    'a Gemini stream': () =>
      world.post('/v1beta/models/gpt-4o:streamGenerateContent', { contents: [{ parts: [{ text: 'hello' }] }] }),
    'a token count': () => world.post('/v1/messages/count_tokens', { model: 'gpt-4o', messages }),
    'a malformed request’s error': () => world.post('/v1/chat/completions', '{'),
    'a wrong key’s error': () => world.chat({}, { key: 'sk-wrong' }),
    'the list of models': get('/v1/models'),
    'a model': get('/v1/models/gpt-4o'),
    'the balance': get('/dashboard/billing/subscription'),
    'the usage': get('/v1/dashboard/billing/usage'),
    'an unknown address': get('/v1/nothing'),
    'an unsupported address': get('/v1/uploads'),
    'a preflight': () => fetch(`${world.url}/v1/chat/completions`, { method: 'OPTIONS' }),
  }
  test.each(Object.entries(cases))('browsers neither render nor cache %s', async (_name, send) => {
    const response = await send()
    await response.text()
    expectHarmless(response)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

test('a page may delete a response, and call a gateway on a private network', async () => {
  const preflight = (headers: Record<string, string>) =>
    fetch(`${world.url}/v1/responses/resp_1`, { method: 'OPTIONS', headers })
  const plain = await preflight({ 'access-control-request-method': 'DELETE' })
  expect(plain.headers.get('access-control-allow-methods')).toContain('DELETE')
  expect(plain.headers.get('access-control-allow-private-network')).toBeNull()
  const near = await preflight({ 'access-control-request-private-network': 'true' })
  expect(near.headers.get('access-control-allow-private-network')).toBe('true')
})

test.each(['/v1/chat/completions', '/v1/messages', '/v1/messages/count_tokens', '/pg/chat/completions'])(
  '%s refuses a form that a page submits',
  async (path) => {
    const response = await world.post(`${path}?key=${world.key}`, '{"model":"gpt-4o","x":"="}', {
      headers: { 'sec-fetch-mode': 'navigate', 'content-type': 'text/plain' },
    })
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('called by programs')])
    expect(world.simulator.requests).toHaveLength(0)
  },
)

test('a page that calls with fetch is served', async () => {
  const response = await world.chat({}, { headers: { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' } })
  expect(response.status).toBe(200)
})

test.each(['a\rb', 'a\u0001b', 'a\u0000b'])(
  'an invalid upstream header is left out, and the call is charged once (%j)',
  async (value) => {
    const before = (await world.logs()).length
    const body = JSON.stringify(page)
    const text = `HTTP/1.1 200 OK\r\nopenai-version: ${value}\r\nopenai-model: m\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    world.simulator.next({ fault: { kind: 'raw', text } })
    const response = await world.chat()
    expect(response.headers.get('openai-version')).toBeNull()
    expect([response.status, await response.json()]).toEqual([200, page])
    const rows = (await world.logs()).slice(before)
    expect(rows.map(({ request_id: id }) => id)).toEqual([response.headers.get('x-request-id') ?? ''])
    expect(rows[0]?.quota).toBeGreaterThan(0)
  },
)
