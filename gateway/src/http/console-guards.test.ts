import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { route } from '@tollgate/contract'
import { z } from 'zod'

import { createTestConsole, anAccount, type SignedIn, type TestConsole } from '../../test/console-client'
import { createWorld, type World } from '../../test/world'
import { AppError } from '../platform/app-error'
import { MemoryLimiter } from './limits/limiter'
import { handler } from './handler'

const handlers = [
  handler(route({ method: 'GET', path: '/api/thing', access: 'guest', summary: '' }), () => Promise.resolve(undefined)),
  handler(
    route({
      method: 'POST',
      path: '/api/login',
      access: 'guest',
      limit: 'sign-in',
      isWrite: false,
      summary: '',
      body: z.object({ username: z.string() }),
    }),
    ({ body }) =>
      body.username.startsWith('wrong') ? Promise.reject(new AppError('login.failed')) : Promise.resolve(undefined),
  ),
  handler(route({ method: 'POST', path: '/api/secret', access: 'guest', limit: 'critical', summary: '' }), () =>
    Promise.resolve(undefined),
  ),
  handler(route({ method: 'GET', path: '/api/elsewhere', access: 'guest', limit: 'external', summary: '' }), () =>
    Promise.resolve(undefined),
  ),
  handler(route({ method: 'GET', path: '/api/leave', access: 'guest', isSameSiteOnly: true, summary: '' }), () =>
    Promise.resolve(undefined),
  ),
  handler(route({ method: 'GET', path: '/api/search', access: 'user', limit: 'search', summary: '' }), () =>
    Promise.resolve(undefined),
  ),
  handler(route({ method: 'DELETE', path: '/api/signed', access: 'user', summary: '' }), () =>
    Promise.resolve(undefined),
  ),
]

let world: World
let site: TestConsole
let user: SignedIn

beforeAll(async () => {
  world = await createWorld()
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

describe('limits', () => {
  const login = (username: string, address?: string, headers?: Record<string, string>) =>
    json(site.send('POST', '/api/login', { body: { username }, address, headers }))

  test('calls that hand out secrets are refused after 20 from one address, with a body and Retry-After', async () => {
    const read = (address: string) => json(site.send('POST', '/api/secret', { address }))
    for (let attempt = 0; attempt < 20; attempt++) expect((await read('192.0.2.9')).status).toBe(200)
    const { status, headers, body } = await read('192.0.2.9')
    expect([status, body['code'], body['success']]).toEqual([429, 'rate.limited', false])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(1000)
    expect((await read('192.0.2.10')).status).toBe(200)
  })

  test('wrong sign-ins to an account are refused after 20 from one address, for that address only', async () => {
    const guess = async (address: string) => (await login('wrong', address)).body['code']
    for (let attempt = 0; attempt < 20; attempt++) expect(await guess('192.0.2.20')).toBe('login.failed')
    expect(await guess('192.0.2.20')).toBe('rate.limited')
    expect(await guess('192.0.2.21')).toBe('login.failed')
    expect((await login('right', '192.0.2.20')).status).toBe(200)
  })

  test('successful sign-ins are not counted', async () => {
    for (let attempt = 0; attempt < 30; attempt++) expect((await login('right', '192.0.2.22')).status).toBe(200)
  })

  test('wrong sign-ins from one address are refused after 100, whatever the accounts', async () => {
    const guess = async (account: number) => (await login(`wrong-${account}`, '192.0.2.23')).body['code']
    for (let account = 0; account < 100; account++) expect(await guess(account)).toBe('login.failed')
    expect(await guess(100)).toBe('rate.limited')
    expect(await guess(101)).toBe('rate.limited')
  })

  test('simultaneous sign-ins allow no more guesses', async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, () => login('wrong-24', '192.0.2.24')))
    expect(responses.filter(({ body }) => body['code'] === 'login.failed')).toHaveLength(20)
  })

  test('workers without Redis count sign-ins together', async () => {
    const other = createTestConsole(world.ctx, handlers)
    const guess = (worker: TestConsole) =>
      json(worker.send('POST', '/api/login', { body: { username: 'wrong-25' }, address: '192.0.2.25' }))
    for (let attempt = 0; attempt < 20; attempt++) await guess(attempt % 2 === 0 ? site : other)
    expect((await guess(site)).status).toBe(429)
    expect((await guess(other)).status).toBe(429)
  })

  test('sign-ins at providers are refused after 300 calls from one address, more than an office makes in a morning', async () => {
    const call = (address: string) => site.send('GET', '/api/elsewhere', { address })
    const responses = await Promise.all(Array.from({ length: 302 }, () => call('192.0.2.30')))
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(2)
    expect((await call('192.0.2.31')).status).toBe(200)
  })

  test('searches are counted by user', async () => {
    const search = () => site.send('GET', '/api/search', { as: user })
    const responses = await Promise.all(Array.from({ length: 61 }, search))
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1)
  })

  test('calls of guests are counted by address, a network of IPv6 as one', async () => {
    const limited = createTestConsole(world.ctx, handlers, { limiter: new MemoryLimiter() })
    const call = (n: number) => limited.send('GET', '/api/thing', { address: `2001:db8:aaaa:1::${n.toString(16)}` })
    const responses = await Promise.all(Array.from({ length: 601 }, (_, index) => call(index)))
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

describe('requests that another site’s page causes', () => {
  const codeOf = async (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    (await json(site.send(method, path, { headers, body, as: user }))).body['code']
  const signIn = { username: 'right' }

  test.each([
    ['DELETE', '/api/signed', undefined],
    ['POST', '/api/login', signIn],
    ['GET', '/api/leave', undefined],
  ])('a cross-site request is refused where the browser says so: %s %s', async (method, path, body) => {
    expect(await codeOf(method, path, { 'sec-fetch-site': 'cross-site' }, body)).toBe('auth.forbidden')
    for (const from of ['same-origin', 'same-site', 'none'])
      expect(await codeOf(method, path, { 'sec-fetch-site': from }, body)).toBeUndefined()
  })

  test('a cross-site request is refused by its origin where the browser says no more', async () => {
    const form = { 'content-type': 'text/plain', host: 'console.test' }
    expect(await codeOf('POST', '/api/login', { ...form, origin: 'http://evil.example' }, signIn)).toBe(
      'auth.forbidden',
    )
    expect(await codeOf('POST', '/api/login', { ...form, origin: 'null' }, signIn)).toBe('auth.forbidden')
    expect(await codeOf('POST', '/api/login', { ...form, origin: 'http://console.test' }, signIn)).toBeUndefined()
    const proxied = { 'content-type': 'application/json', host: 'tollgate:3000', origin: 'http://console.test' }
    expect(await codeOf('POST', '/api/login', proxied, signIn)).toBeUndefined()
  })

  test('scripts, which do not say where they come from, are served', async () => {
    expect(await codeOf('POST', '/api/login', {}, signIn)).toBeUndefined()
    expect(await codeOf('GET', '/api/leave', {})).toBeUndefined()
  })
})
