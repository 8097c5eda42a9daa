import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'

import { startTurnstile, type TurnstileStandIn } from '@tollgate/simulator'

import { handlers } from '../../../test/all-handlers'
import { aBrowser } from '../../../test/browser'
import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'

setDefaultTimeout(120_000)

interface CheckedRoute {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The error code of a call that passed the check. */
  readonly behind: string
  readonly isForUsers?: boolean
}

/** A call to each route with a bot check. */
const checkedRoutes: Record<string, CheckedRoute> = {
  login: { method: 'POST', path: '/api/user/login', body: { username: 'ann', password: 'x' }, behind: 'login.failed' },
  register: {
    method: 'POST',
    path: '/api/user/register',
    body: { username: '', password: 'correct horse' },
    behind: 'user.username',
  },
  verification: { method: 'GET', path: '/api/verification?email=ann%40example.com', behind: 'smtp.unset' },
  reset: { method: 'GET', path: '/api/reset_password?email=ann%40example.com', behind: 'smtp.unset' },
  'check-in': { method: 'POST', path: '/api/user/check_in', behind: 'checkin.off', isForUsers: true },
}

let turnstile: TurnstileStandIn
let world: World
let site: TestConsole
beforeAll(() => {
  turnstile = startTurnstile({ hostname: 'gate.example.com' })
})
afterAll(() => turnstile.stop())
beforeEach(async () => {
  world = await createWorld({ environment: { TURNSTILE_URL: `${turnstile.url}/` } })
  site = createTestConsole(world.ctx, handlers)
  await world.ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  await setOptionsIn(world.ctx, {
    TurnstileCheckEnabled: 'true',
    TurnstileSiteKey: turnstile.siteKey,
    TurnstileSecretKey: turnstile.secretKey,
    ServerAddress: 'https://gate.example.com',
  })
})
afterEach(async () => {
  turnstile.isDown = false
  await world[Symbol.asyncDispose]()
})

async function callRoute(name: string, token?: string): Promise<string> {
  const { method, path, body, isForUsers }: CheckedRoute = checkedRoutes[name] ?? {
    method: 'GET',
    path: '/',
    behind: '',
  }
  const query =
    token === undefined
      ? ''
      : `${path.includes('?') ? '&' : '?'}${new URLSearchParams({ turnstile: token }).toString()}`
  const as = isForUsers ? await site.signIn((await anAccount(world.ctx)).id) : undefined
  return (await aBrowser(site, { as, address: '192.0.2.9' }).call(method, path + query, { body })).outcome
}

test('every route with a bot check is tested here', () => {
  const checked: string[] = handlers.flatMap(({ route }) => route.botCheck ?? [])
  expect(checked.sort()).toEqual(Object.keys(checkedRoutes).sort())
})

test.each(Object.keys(checkedRoutes))('%s opens once for each solved check, and for nothing else', async (name) => {
  const behind = checkedRoutes[name]?.behind ?? ''
  expect(await callRoute(name)).toBe('turnstile.empty')
  expect(await callRoute(name, ' ')).toBe('turnstile.empty')
  expect(await callRoute(name, 'made up')).toBe('turnstile.failed')
  const token = turnstile.solve({ action: name })
  expect(await callRoute(name, token)).toBe(behind)
  expect(turnstile.verifications.at(-1)).toEqual({
    secret: turnstile.secretKey,
    response: token,
    remoteip: '192.0.2.9',
    errors: [],
  })
  expect(await callRoute(name, token)).toBe('turnstile.failed')
  const other = name === 'login' ? 'register' : 'login'
  expect(await callRoute(name, turnstile.solve({ action: other }))).toBe('turnstile.failed')
  expect(await callRoute(name, turnstile.solve({ hostname: 'evil.example' }))).toBe('turnstile.failed')
  expect(await callRoute(name, turnstile.solve())).toBe(behind)
  turnstile.isDown = true
  expect(await callRoute(name, turnstile.solve())).toBe('turnstile.unreachable')
  await setOptionsIn(world.ctx, { TurnstileCheckEnabled: 'false' })
  expect(await callRoute(name)).toBe(behind)
})

test('the keys of the site take effect: no call passes with another secret key', async () => {
  const status = async () => (await aBrowser(site).call('GET', '/api/status')).text
  await setOptionsIn(world.ctx, { TurnstileSiteKey: 'another-site-key', TurnstileSecretKey: 'another secret' })
  expect(await status()).toContain('"turnstile_site_key":"another-site-key"')
  expect(await callRoute('login', turnstile.solve())).not.toBe('login.failed')
  await setOptionsIn(world.ctx, { TurnstileSecretKey: turnstile.secretKey })
  expect(await callRoute('login', turnstile.solve())).toBe('login.failed')
})

test('many calls with one token pass once', async () => {
  const token = turnstile.solve()
  const before = turnstile.verifications.length
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => callRoute('login', token)))
  expect(outcomes.filter((outcome) => outcome === 'login.failed')).toHaveLength(1)
  expect(turnstile.verifications.length - before).toBe(1)
})

test('the host is not compared with Cloudflare’s secrets for tests, which name another one', async () => {
  const secret = '1x0000000000000000000000000000000AA'
  await using standIn = {
    ...startTurnstile({ hostname: 'example.com', secretKey: secret }),
    [Symbol.asyncDispose]: () => standIn.stop(),
  }
  await using other = await createWorld({ environment: { TURNSTILE_URL: standIn.url } })
  await setOptionsIn(other.ctx, {
    TurnstileCheckEnabled: 'true',
    TurnstileSiteKey: '1x00000000000000000000AA',
    TurnstileSecretKey: secret,
    ServerAddress: 'https://gate.example.com',
  })
  const browser = aBrowser(createTestConsole(other.ctx, handlers))
  const body = { username: 'ann', password: 'x' }
  const { outcome } = await browser.call('POST', `/api/user/login?turnstile=${standIn.solve()}`, { body })
  expect(outcome).toBe('login.failed')
})

test('a site that has only a local address does not compare it with the widget’s', async () => {
  await setOptionsIn(world.ctx, { ServerAddress: 'http://localhost:3000' })
  expect(await callRoute('login', turnstile.solve({ hostname: 'elsewhere.example' }))).toBe('login.failed')
})
