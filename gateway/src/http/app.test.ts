import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { role, route } from '@tollgate/contract'
import { z } from 'zod'

import { createTestConsole, anAccount, type SignedIn, type TestConsole } from '../../test/console-client'
import { createWorld, type World } from '../../test/world'
import { AppError } from '../platform/app-error'
import { handler } from './handler'
import { createSeal } from '../platform/store/seal'
import { Readiness } from './health-routes'

const Id = z.object({ id: z.string().regex(/^\d+$/).transform(Number) })
const Body = z.object({ name: z.string().max(5), count: z.number().int().optional() })

const handlers = [
  handler(route({ method: 'GET', path: '/api/thing', access: 'guest', summary: '', data: z.array(z.string()) }), () =>
    Promise.resolve([]),
  ),
  handler(
    route({ method: 'POST', path: '/api/thing', access: 'user', summary: '', body: Body, data: Body }),
    ({ body }) => Promise.resolve(body),
  ),
  handler(
    route({ method: 'GET', path: '/api/thing/{id}', access: 'guest', summary: '', params: Id, data: z.number() }),
    ({ params }) => Promise.resolve(params.id),
  ),
  handler(route({ method: 'GET', path: '/api/thing/fixed', access: 'guest', summary: '', data: z.string() }), () =>
    Promise.resolve('fixed'),
  ),
  handler(
    route({
      method: 'GET',
      path: '/api/thing/beside',
      access: 'guest',
      summary: '',
      query: z.object({ word: z.string().optional() }),
      data: z.string(),
      envelopeFields: z.object({ time: z.number() }),
    }),
    ({ query }) => Promise.resolve({ data: query.word ?? '', envelopeFields: { time: 1.5 } }),
  ),
  handler(route({ method: 'GET', path: '/api/fail', access: 'guest', summary: '' }), () =>
    Promise.reject(new Error('the password is hunter2')),
  ),
  handler(route({ method: 'GET', path: '/api/refuse', access: 'guest', summary: '' }), () =>
    Promise.reject(new AppError('token.none')),
  ),
  handler(
    route({ method: 'GET', path: '/api/leak', access: 'guest', summary: '', data: z.object({ a: z.string() }) }),
    () => Promise.resolve({ a: '', password: 'hunter2' }),
  ),
  handler(
    route({
      method: 'POST',
      path: '/api/login',
      access: 'guest',
      summary: '',
      body: z.object({ username: z.string() }),
    }),
    () => Promise.resolve(undefined),
  ),
  handler(route({ method: 'DELETE', path: '/api/signed', access: 'user', summary: '' }), () =>
    Promise.resolve(undefined),
  ),
]

let world: World
let site: TestConsole
let user: SignedIn

beforeAll(async () => {
  world = await createWorld({ environment: { MAX_REQUEST_BODY_MB: '1', TRUSTED_PROXIES: '10.0.0.0/8' } })
  site = createTestConsole(world.ctx, handlers)
  user = await site.signIn((await anAccount(world.ctx)).id)
})
afterAll(() => world[Symbol.asyncDispose]())

async function json(response: Promise<Response>) {
  const settledResponse = await response
  return {
    status: settledResponse.status,
    headers: settledResponse.headers,
    body: (await settledResponse.json()) as Record<string, unknown>,
  }
}

describe('the envelope', () => {
  test('a success has data and its sibling members', async () => {
    const { status, body } = await json(site.send('GET', '/api/thing/beside?word=a&word=b&unknown=1'))
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, message: '', data: 'b', time: 1.5 })
  })

  test('an empty list is an empty array', async () => {
    const { body } = await json(site.send('GET', '/api/thing'))
    expect(body['data']).toEqual([])
  })

  test('a business failure is HTTP 200 with a code, a sentence and the request id', async () => {
    const { status, headers, body } = await json(
      site.send('GET', '/api/refuse', { headers: { 'accept-language': 'en' } }),
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      success: false,
      message: 'No such token.',
      code: 'token.none',
      request_id: headers.get('x-request-id'),
    })
  })

  test('sentences are Chinese unless English is requested', async () => {
    const { body } = await json(site.send('GET', '/api/refuse'))
    expect(body['message']).toBe('令牌不存在')
  })

  test('an unexpected failure reveals nothing', async () => {
    const { status, body } = await json(site.send('GET', '/api/fail'))
    expect(status).toBe(500)
    expect(body['code']).toBe('server.error')
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })

  test('responses cannot be cached, sniffed or framed', async () => {
    const { headers } = await json(site.send('GET', '/api/thing'))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('x-request-id')).toMatch(/^[0-9A-Z]{26}$/)
  })

  test('responses are compared with the contract in tests', async () => {
    expect(await site.send('GET', '/api/leak').then(String, String)).toContain('/api/leak responds with a wrong data')
  })
})

describe('paths', () => {
  test.each([
    ['/api/thing/12', 12],
    ['/api/thing/12/', 12],
    ['/api/thing/fixed', 'fixed'],
    ['/api/thing/fixed/', 'fixed'],
    ['/api/thing/', []],
  ])('GET %s responds with %p', async (path, data) => {
    const { body } = await json(site.send('GET', path))
    expect(body['data']).toEqual(data)
  })

  test.each(['/api/nothing', '/api', '/api/', '/api/thing/1/2', '/api//thing'])(
    'the route %s is answered with a 404',
    async (path) => {
      const { status, body } = await json(site.send('GET', path))
      expect([status, body['code']]).toEqual([404, 'route.unknown'])
    },
  )

  test.each(['PUT', 'PATCH', 'OPTIONS', 'DELETE'])('%s is refused with the allowed methods', async (method) => {
    const { status, headers, body } = await json(site.send(method, '/api/thing'))
    expect([status, body['code'], headers.get('allow')]).toEqual([405, 'method.wrong', 'GET, POST'])
  })

  test('HEAD is refused with the allowed methods', async () => {
    const response = await site.send('HEAD', '/api/thing')
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([405, 'GET, POST', ''])
  })

  test('a fixed path hides the other methods of a pattern', async () => {
    const { status } = await json(site.send('POST', '/api/thing/fixed'))
    expect(status).toBe(405)
  })
})

describe('input', () => {
  const post = (body: unknown, headers?: Record<string, string>) =>
    json(site.send('POST', '/api/thing', { as: user, body, headers: { 'accept-language': 'en', ...headers } }))

  test('valid input reaches the handler', async () => {
    const { status, body } = await post({ name: 'a', count: 2 })
    expect([status, body['data']]).toEqual([200, { name: 'a', count: 2 }])
  })

  test.each<[string, unknown, string]>([
    ['a wrong type', { name: 5 }, 'name'],
    ['a text too long', { name: 'abcdef' }, 'name'],
    ['a huge number', '{"name":"a","count":1e999}', 'count'],
    ['a missing field', {}, 'name'],
    ['an unknown field', { name: 'a', role: 100 }, 'role'],
    ['an unknown field named as a prototype', '{"name":"a","__proto__":{"role":100}}', '__proto__'],
    ['a NUL', { name: 'a\0' }, 'name'],
    ['a NUL in the name of a field', { 'a\0': 1 }, 'body'],
    ['an array', [], 'body'],
    ['null', 'null', 'body'],
  ])('%s is refused by name', async (_what, sent, field) => {
    const { status, body } = await post(sent)
    expect([status, body['code']]).toEqual([400, 'input.invalid'])
    expect(body['message']).toStartWith(`Invalid input: ${field}`)
  })

  test.each(['{', '', 'name=a', '\u0000', '[1,]', '{"name":"a"}}'])(
    'the body %p is refused as malformed JSON',
    async (sent) => {
      const { status, body } = await post(sent)
      expect([status, body['code']]).toEqual([400, 'body.malformed'])
    },
  )

  test.each(['/api/thing/beside?word=a%00', '/api/thing/1%00'])(
    'the address %s is refused as invalid input',
    async (path) => {
      const { status, body } = await json(site.send('GET', path))
      expect([status, body['code']]).toEqual([400, 'input.invalid'])
    },
  )

  test('deeply nested input is refused with a proper error', async () => {
    for (const depth of [100, 5000, 100_000]) {
      const { status } = await post(`{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`)
      expect(status).toBe(400)
    }
  })

  test('a path parameter is checked', async () => {
    const { status, body } = await json(site.send('GET', '/api/thing/abc'))
    expect([status, body['code']]).toEqual([400, 'input.invalid'])
  })

  test('a body above the limit is refused, with and without a length', async () => {
    const large = JSON.stringify({ name: 'a'.repeat(1024 * 1024) })
    const { status, body } = await post(large)
    expect([status, body['code'], body['message']]).toEqual([
      413,
      'body.too_large',
      'The request body is larger than the allowed 1 MB.',
    ])
    const request = new Request('http://console.test/api/thing', {
      method: 'POST',
      headers: { cookie: user.cookie, 'Tollgate-User': String(user.userId) },
      body: new Blob([large]).stream(),
    })
    const streamed = await site.app.fetch(request, { address: '192.0.2.77' })
    expect(streamed.status).toBe(413)
  })

  test('the body of a guest is limited to the size of a name and a password', async () => {
    const username = 'a'.repeat(4096)
    const { status, body } = await json(site.send('POST', '/api/login', { body: { username } }))
    expect([status, body['code']]).toEqual([413, 'body.too_large'])
    expect(body['message']).toContain('4 KB')
  })

  test.each([
    ['objects', '{}', 150_000],
    ['numbers', '1', 150_000],
    ['members', '"a":1', 0],
  ])('a body with more %s than any call has is refused before it is parsed', async (_what, part, count) => {
    const members = Array.from({ length: 50_001 }, (_, index) => `"n${index}":[]`).join(',')
    const text = count === 0 ? `{${members}}` : `{"x":[${`${part},`.repeat(count)}1]}`
    const { status, body } = await post(text)
    expect([status, body['message']]).toEqual([400, expect.stringContaining('Invalid input: body')])
  })
})

describe('over TLS', () => {
  const tls = { 'x-forwarded-proto': 'https' }
  const relay = { fetch: () => new Response('relay') }
  const pages = { respond: () => new Response('page') }

  test.each([
    ['a call', '/api/thing'],
    ['a page', '/login'],
  ])('%s sends Strict-Transport-Security over TLS', async (_what, path) => {
    const both = createTestConsole(world.ctx, handlers, { relay, pages })
    const response = await both.send('GET', path, { address: '10.0.0.1', headers: tls })
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(response.headers.get('cross-origin-opener-policy')).toBe(path === '/login' ? 'same-origin' : null)
    const plain = await both.send('GET', path)
    expect(plain.headers.get('strict-transport-security')).toBeNull()
    expect(plain.headers.get('cross-origin-opener-policy')).toBeNull()
  })
})

describe('health', () => {
  test('the gateway is alive, ready, and draining when told', async () => {
    const readiness = new Readiness()
    const app = createTestConsole(world.ctx, [], { readiness })
    expect((await app.send('GET', '/health/live')).status).toBe(200)
    expect(await (await app.send('GET', '/health/ready')).json()).toEqual({ status: 'ready' })
    readiness.setDraining()
    const ready = await app.send('GET', '/health/ready')
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining' }])
    expect((await app.send('GET', '/health/live')).status).toBe(200)
  })

  test('the gateway is not ready with a key that does not decrypt what is sealed, until all was entered again', async () => {
    await using other = await createWorld({ environment: { SECRET_KEY: 'an obviously fake secret of 32 chars' } })
    const { ctx } = other
    const { query } = ctx.database
    const lost = createSeal(new TextEncoder().encode('another obviously fake secret, lost'))
    await query
      .insertInto('channels')
      .values({ type: 1, name: 'first', key_sealed: lost.seal('sk-1'), tag: null, created_time: 1 })
      .execute()
    const checkReadiness = async () => {
      const ready = await createTestConsole(ctx, []).send('GET', '/health/ready')
      return [ready.status, await ready.json()]
    }
    expect(await checkReadiness()).toEqual([503, { status: 'secrets' }])
    await query
      .updateTable('channels')
      .set({ key_sealed: ctx.seal.seal('sk-2') })
      .execute()
    expect(await checkReadiness()).toEqual([200, { status: 'ready' }])
  })

  test('the gateway is not ready without the database', async () => {
    const gone = await createWorld()
    await gone.ctx.database.close()
    const ready = await createTestConsole(gone.ctx, []).send('GET', '/health/ready')
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'database' }])
  })
})

describe('the metrics', () => {
  const requestMetrics = async (of: World, authorization = '') => {
    const sent = { address: '127.0.0.1', headers: { host: '127.0.0.1:3000', authorization } }
    return (await createTestConsole(of.ctx, []).send('GET', '/metrics', sent)).status
  }

  test('metrics are refused to programs of this machine, too, unless they have the token', async () => {
    await using withToken = await createWorld({ environment: { METRICS_TOKEN: 'an obviously fake token' } })
    expect(await requestMetrics(world)).toBe(403)
    expect(await requestMetrics(withToken)).toBe(403)
    expect(await requestMetrics(withToken, 'Bearer wrong')).toBe(403)
    expect(await requestMetrics(withToken, 'Bearer an obviously fake token')).toBe(200)
  })
})

describe('the relay', () => {
  const relay = { fetch: (request: Request) => new Response(`relay ${new URL(request.url).pathname}`) }

  test.each(['/v1/models', '/', '/apifox', '/pg/chat/completions', '/health'])('the relay handles %s', async (path) => {
    const response = await createTestConsole(world.ctx, handlers, { relay }).send('GET', path)
    expect(await response.text()).toBe(`relay ${path}`)
  })

  test('the relay handles what is not a page', async () => {
    const pages = { respond: (request: Request) => (request.url.endsWith('/login') ? new Response('page') : undefined) }
    const both = createTestConsole(world.ctx, handlers, { relay, pages })
    const texts = ['/login', '/v1/login', '/api/login', '/other'].map(async (path) =>
      (await both.send('GET', path)).text(),
    )
    expect(await Promise.all(texts)).toEqual([
      'page',
      'relay /v1/login',
      expect.stringContaining('method.wrong'),
      'relay /other',
    ])
  })

  test('the relay leaves the console’s addresses alone', async () => {
    const response = await createTestConsole(world.ctx, handlers, { relay }).send('GET', '/api/thing?x=/v1')
    expect(response.headers.get('content-type')).toStartWith('application/json')
  })
})

describe('a demonstration site', () => {
  test('a demonstration site shows everything and changes nothing', async () => {
    await using demo = await createWorld()
    const { ctx } = demo
    await ctx.database.query.insertInto('options').values({ key: 'DemoSiteEnabled', value: 'true' }).execute()
    await ctx.catalog.rebuild()
    const app = createTestConsole(ctx, handlers)
    const admin = await app.signIn((await anAccount(ctx, { role: role.root })).id)
    const { status, body } = await json(app.send('DELETE', '/api/signed', { as: admin }))
    expect([status, body['code']]).toEqual([405, 'demo.read_only'])
    expect((await app.send('GET', '/api/thing')).status).toBe(200)
  })
})
