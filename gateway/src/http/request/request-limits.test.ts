import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { route, type RouteLimit } from '@tollgate/contract'
import { z } from 'zod'

import { anAccount, createTestConsole, type Sent, type SignedIn, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { AppError } from '../../platform/app-error'
import { MemoryLimiter } from '../limits/limiter'
import { handler } from '../handler'

const noop = () => Promise.resolve(undefined)
const read = (path: `/api/${string}`, access: 'guest' | 'user', limit?: RouteLimit) =>
  handler(route({ method: 'GET', path, access, limit, summary: '' }), noop)

const handlers = [
  read('/api/open', 'guest'),
  read('/api/own', 'user'),
  read('/api/key', 'user', 'critical'),
  read('/api/other-key', 'user', 'critical'),
  read('/api/register', 'guest', 'critical'),
  read('/api/reset', 'guest', 'critical'),
  read('/api/search', 'user', 'search'),
  read('/api/elsewhere', 'guest', 'external'),
  handler(
    route({
      method: 'POST',
      path: '/api/login',
      access: 'guest',
      limit: 'sign-in',
      isWrite: false,
      summary: '',
      body: z.object({ username: z.string(), isRight: z.boolean() }),
    }),
    ({ body }) => (body.isRight ? noop() : Promise.reject(new AppError('login.failed'))),
  ),
]

/** One office: everyone has the same address. */
const address = '192.0.2.1'

let world: World
let site: TestConsole
let ann: SignedIn
let bob: SignedIn
let waited: number[] = []

async function open(kind: 'sqlite' | 'postgres') {
  world = await createWorld({ kind })
  const wait = (ms: number) => {
    waited.push(ms)
    return Promise.resolve()
  }
  const ctx = { ...world.ctx, timers: { ...world.ctx.timers, wait } }
  site = createTestConsole(ctx, handlers, { limiter: new MemoryLimiter(() => 0) })
  ann = await site.signIn((await anAccount(ctx)).id)
  bob = await site.signIn((await anAccount(ctx)).id)
}

async function clear() {
  waited = []
  await world.ctx.database.query.deleteFrom('options').execute()
  await world.ctx.database.query.deleteFrom('limit_counts').execute()
  await world.ctx.catalog.rebuild()
}

/** Resolves with how many calls are let through before one is refused. */
async function countAllowed(path: string, sent: Sent = {}): Promise<number> {
  for (let calls = 0; calls < 1000; calls += 1)
    if ((await site.send('GET', path, { address, ...sent })).status === 429) return calls
  return Infinity
}

describe('limits of the calls of an office', () => {
  beforeAll(() => open('sqlite'))
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    await clear()
    site = createTestConsole(world.ctx, handlers, { limiter: new MemoryLimiter(() => 0) })
  })

  test('ten users at one address call 600 times a minute each, and neither they nor guests use up each other’s', async () => {
    expect(await countAllowed('/api/own', { as: ann })).toBe(600)
    expect(await countAllowed('/api/own', { as: bob })).toBe(600)
    expect(await countAllowed('/api/open')).toBe(600)
  })

  test('a caller with a wrong session counts as a guest', async () => {
    expect(await countAllowed('/api/own', { headers: { cookie: 'session=guessed' } })).toBe(600)
    expect(await countAllowed('/api/open')).toBe(0)
    expect((await site.send('GET', '/api/own', { as: ann, address })).status).toBe(200)
  })

  test.each([
    ['ConsoleUserCalls', '60', '/api/own', true, 60],
    ['ConsoleGuestCalls', '60', '/api/open', false, 60],
    ['ConsoleAddressCalls', '60', '/api/own', true, 60],
    ['ConsoleAddressCalls', '60', '/api/open', false, 60],
    ['SearchCalls', '3', '/api/search', true, 3],
    ['SensitiveCalls', '3', '/api/key', true, 3],
    ['SensitiveCalls', '3', '/api/register', false, 3],
    ['ProviderSignInCalls', '3', '/api/elsewhere', false, 3],
  ])('the limit %s=%s of %s takes effect', async (option, value, path, isSignedIn, expected) => {
    await setOptionsIn(world.ctx, { [option]: value })
    expect(await countAllowed(path, isSignedIn ? { as: ann } : {})).toBe(expected)
  })

  test('one person’s reading of keys stops neither another kind of call nor other people at the address', async () => {
    expect(await countAllowed('/api/key', { as: ann })).toBe(20)
    expect((await site.send('GET', '/api/other-key', { as: ann, address })).status).toBe(200)
    expect((await site.send('GET', '/api/key', { as: bob, address })).status).toBe(200)
    expect((await site.send('GET', '/api/register', { address })).status).toBe(200)
    expect(await countAllowed('/api/reset')).toBe(20)
    expect((await site.send('GET', '/api/register', { address })).status).toBe(200)
  })

  test('accounts at one address make ten times as many sensitive calls together as one may, so that many do not guess for one', async () => {
    await setOptionsIn(world.ctx, { SensitiveCalls: '1' })
    const outcomes: number[] = []
    for (let user = 0; user < 11; user += 1) {
      const as = await site.signIn((await anAccount(world.ctx)).id)
      outcomes.push((await site.send('GET', '/api/key', { as, address })).status)
    }
    expect(outcomes).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })

  test('a user’s sensitive calls are counted wherever they come from', async () => {
    for (let call = 0; call < 20; call += 1) expect((await site.send('GET', '/api/key', { as: ann })).status).toBe(200)
    expect((await site.send('GET', '/api/key', { as: ann })).status).toBe(429)
  })
})

describe.each(kinds)('wrong passwords (%s)', (kind) => {
  const once = onceOf(kind)

  beforeAll(() => open(kind))
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(clear)

  const logIn = async (from: string, isRight = false, username = 'root') =>
    (await site.send('POST', '/api/login', { body: { username, isRight }, address: from })).status

  /** Guesses from as many addresses. */
  async function guess(times: number) {
    for (let from = 1; from <= times; from += 1) expect(await logIn(`198.51.100.${from}`)).toBe(200)
  }

  once(
    'an account that is guessed at from many addresses is slowed down for all, and its owner still comes in',
    async () => {
      await setOptionsIn(world.ctx, { SlowSignInAfter: '10' })
      await guess(10)
      expect(waited).toEqual([])
      await guess(1)
      expect(waited).toEqual([3000])
      expect(await logIn('203.0.113.1', true)).toBe(200)
      expect(waited).toEqual([3000, 3000])
      expect(await logIn('203.0.113.1', false, 'another')).toBe(200)
      expect(waited).toHaveLength(2)
    },
  )

  once('each address has fewer guesses at an account that is slowed down', async () => {
    await setOptionsIn(world.ctx, { SlowSignInAfter: '10' })
    await guess(10)
    const outcomes: number[] = []
    for (let times = 0; times < 6; times += 1) outcomes.push(await logIn('203.0.113.2'))
    expect(outcomes).toEqual([200, 200, 200, 200, 200, 429])
    expect(await logIn('203.0.113.3', true)).toBe(200)
  })

  once('right passwords slow nothing down', async () => {
    await setOptionsIn(world.ctx, { SlowSignInAfter: '10' })
    for (let times = 0; times < 30; times += 1) expect(await logIn('203.0.113.4', true)).toBe(200)
    expect(waited).toEqual([])
  })

  once.each([
    ['WrongPasswords', () => logIn('203.0.113.5')],
    ['WrongPasswordsOfAddress', () => logIn('203.0.113.5', false, crypto.randomUUID())],
  ])('the limit %s takes effect', async (option, attempt) => {
    await setOptionsIn(world.ctx, { [option]: '3' })
    const outcomes = [await attempt(), await attempt(), await attempt(), await attempt()]
    expect(outcomes).toEqual([200, 200, 200, 429])
  })
})
