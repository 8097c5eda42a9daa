import { afterAll, beforeAll, expect, test, setDefaultTimeout } from 'bun:test'

import { aWorld, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

let world: World
beforeAll(async () => {
  world = await aWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const path = '/v1/chat/completions'
const message = '{"role":"user","content":"hello"}'
const nestArrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}

const send = (init: Sent) =>
  fetch(world.gateway.url + (init.path ?? path), {
    method: 'POST',
    ...init,
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json', ...init.headers },
  })

const bodies: Record<string, [body: string, status: number]> = {
  'no JSON': ['{"model":', 400],
  'an empty body': ['', 400],
  'a list': ['[]', 400],
  'a bare text': ['"gpt-4o"', 400],
  'no model': [`{"messages":[${message}]}`, 400],
  'a model that is a number': [`{"model":4,"messages":[${message}]}`, 400],
  'messages that are a text': ['{"model":"gpt-4o","messages":"hello"}', 400],
  'no messages': ['{"model":"gpt-4o","messages":[]}', 400],
  'a huge max_tokens': [`{"model":"gpt-4o","max_tokens":1e18,"messages":[${message}]}`, 400],
  'a negative max_tokens': [`{"model":"gpt-4o","max_tokens":-5,"messages":[${message}]}`, 400],
  'a stream that is a text': [`{"model":"gpt-4o","stream":"yes","messages":[${message}]}`, 400],
  'a huge n': [`{"model":"gpt-4o","n":100000000,"messages":[${message}]}`, 400],
}

for (const [name, [body, status]] of Object.entries(bodies)) {
  test(`${name} is refused in OpenAI’s shape before any upstream call`, async () => {
    world.simulator.reset()
    const response = await send({ body })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({
      error: { message: expect.any(String), type: 'invalid_request_error' },
    })
    expect(world.simulator.requests).toHaveLength(0)
  })
}

test('a body over the limit is refused', async () => {
  const content = 'x'.repeat(33 * 1024 * 1024)
  const response = await send({ body: `{"model":"gpt-4o","messages":[{"role":"user","content":"${content}"}]}` })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } })
})

test('deep nesting does not break the gateway', async () => {
  const response = await send({ body: `{"model":"gpt-4o","messages":[${message}],"metadata":${nestArrays(100_000)}}` })
  expect([200, 400]).toContain(response.status)
  expect((await send({ body: `{"model":"gpt-4o","messages":[${message}]}` })).status).toBe(200)
})

test('a model named twice in a body cannot mean different models here and upstream', async () => {
  world.simulator.reset()
  const response = await send({ body: `{"model":"gpt-4o-mini","model":"gpt-4o","messages":[${message}]}` })
  const [request] = world.simulator.requests
  if (response.status === 200) expect(request?.body.match(/"model"/g)).toHaveLength(1)
  else expect(response.status).toBe(400)
})

test.each([
  ['GET', path, 405],
  ['POST', '/v1/nothing', 404],
  ['DELETE', '/v1/models', 405],
  ['POST', '/v1/chat/completions/more', 404],
])('%s %s is answered with %d in OpenAI’s shape', async (method, path, status) => {
  const response = await send({ method, path, body: method === 'GET' ? undefined : '{}' })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } })
})

test.each(['', 'Bearer', 'Bearer ', 'Basic abc', `Bearer sk-${'x'.repeat(8000)}`, 'Bearer sk-\u00fc'])(
  'the credentials %j are refused with 401',
  async (authorization) => {
    const response = await send({ headers: { authorization }, body: `{"model":"gpt-4o","messages":[${message}]}` })
    expect(response.status).toBe(401)
  },
)

test('client headers do not reach the upstream', async () => {
  world.simulator.reset()
  const headers = { 'x-forwarded-for': '9.9.9.9', cookie: 'a=b', 'api-key': 'other', 'openai-organization': 'theirs' }
  await send({ headers, body: `{"model":"gpt-4o","messages":[${message}]}` })
  const [request] = world.simulator.requests
  for (const name of Object.keys(headers)) expect(request?.headers[name]).toBeUndefined()
  expect(request?.apiKey).toBe('sk-upstream')
})
