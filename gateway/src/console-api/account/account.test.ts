import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { ApiError, role, accountRoutes, sessionRoutes, userStatus } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { aCharge } from '../../../test/ledger'
import { createWorld, type World } from '../../../test/world'
import { passwordHashing, unusableHash } from '../../accounts/users/passwords'
import { databaseLimiter } from '../../http/limits/database-limiter'
import { sha256 } from '../../platform/store/seal'
import { selfHandlers } from './account'
import { sessionHandlers } from './sessions'

const password = 'correct horse'
const handlers = [...sessionHandlers, ...selfHandlers]

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('the own account (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  beforeAll(async () => {
    world = await createWorld({ kind })
    site = createTestConsole(world.ctx, handlers)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const logIn = (username: string, enteredPassword = password) =>
    site.client().call(sessionRoutes.logIn, { body: { username, password: enteredPassword } })
  const isIn = async (as: SignedIn) => (await failureOf(site.client(as).call(accountRoutes.getSelf))) === 'success'
  const change = (id: number, columns: { password_hash?: string; status?: number; deleted_at?: number }) =>
    world.ctx.database.query.updateTable('users').set(columns).where('id', '=', id).execute()

  describe('signing in', () => {
    once('signing in returns the user and a working cookie', async () => {
      const { id, username } = await anAccount(world.ctx, { password })
      const response = await site.send('POST', '/api/user/login', { body: { username, password } })
      expect(await response.json()).toEqual({
        success: true,
        message: '',
        data: { id, username, display_name: username, role: role.user, status: userStatus.enabled, group: 'default' },
      })
      const [cookie = ''] = response.headers.getSetCookie()
      expect(cookie).toMatch(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
      expect(await isIn({ userId: id, cookie: cookie.split(';')[0] ?? '' })).toBe(true)
    })

    once('only the hash of the session id is stored', async () => {
      const { id } = await anAccount(world.ctx)
      const { cookie } = await site.signIn(id)
      const rows = await world.ctx.database.query
        .selectFrom('sessions')
        .select('id_hash')
        .where('user_id', '=', id)
        .execute()
      expect(rows).toEqual([{ id_hash: sha256(cookie.split('__Host-session=')[1] ?? '') }])
    })

    once('signing in accepts the name in any case, or the mail address', async () => {
      const { id } = await anAccount(world.ctx, { username: `Grüße-${kind}`, email: `Some.One@${kind}.test`, password })
      expect((await logIn(`  gRÜSSE-${kind}`).catch(() => ({ id: 0 }))).id).toBe(0)
      expect((await logIn(`GRÜßE-${kind}`)).id).toBe(id)
      expect((await logIn(`some.one@${kind}.TEST`)).id).toBe(id)
    })

    once('signing in does not reveal whether the name is unknown, the password wrong or the user banned', async () => {
      const banned = await anAccount(world.ctx, { password })
      await change(banned.id, { status: userStatus.disabled })
      const closed = await anAccount(world.ctx, { password })
      await change(closed.id, { deleted_at: 1 })
      const without = await anAccount(world.ctx)
      const known = await anAccount(world.ctx, { password })
      for (const name of ['nobody', banned.username, closed.username, without.username]) {
        expect(await failureOf(logIn(name))).toBe('login.failed')
      }
      expect(await failureOf(logIn(known.username, 'wrong'))).toBe('login.failed')
      expect(await failureOf(logIn(without.username, ''))).toBe('login.empty')
      expect(await failureOf(logIn(' '))).toBe('login.empty')
    })

    test('signing in renews a bcrypt hash', async () => {
      const { id, username } = await anAccount(world.ctx)
      await change(id, { password_hash: await Bun.password.hash(password, { algorithm: 'bcrypt', cost: 4 }) })
      expect(await failureOf(logIn(username, 'wrong'))).toBe('login.failed')
      await logIn(username)
      const row = await world.ctx.database.query
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(row.password_hash).toStartWith('$argon2id$')
      await logIn(username)
    })

    once('wrong guesses of others do not lock an account out, not even from a shared address', async () => {
      const { id, username } = await anAccount(world.ctx, { password })
      const from = (address: string, enteredPassword: string, cookie = '') =>
        site.send('POST', '/api/user/login', {
          body: { username, password: enteredPassword },
          address,
          headers: { cookie },
        })
      const first = await from('198.51.100.1', password)
      const device = first.headers.getSetCookie().find((cookie) => cookie.startsWith('device=')) ?? ''
      expect(device).toMatch(/^device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
      const guesses = databaseLimiter(world.ctx.database, world.ctx.clock)
      const limit = { points: 20, durationSeconds: 1200 }
      const key = `sign-in:account:198.51.100.1:${sha256(username)}`
      for (let guess = 0; guess < 20; guess += 1) await guesses.consume(key, limit)
      expect((await from('198.51.100.1', password)).status).toBe(429)
      expect((await from('198.51.100.2', password)).status).toBe(200)
      const known = await from('198.51.100.1', password, device.split(';')[0])
      expect(known.status).toBe(200)
      expect(known.headers.getSetCookie().some((cookie) => cookie.startsWith('device='))).toBe(false)
      const devices = world.ctx.database.query.selectFrom('known_devices').select('id_hash').where('user_id', '=', id)
      expect(await devices.execute()).toContainEqual({
        id_hash: sha256(device.slice('device='.length).split(';')[0] ?? ''),
      })
    })

    once('a new device is told once in a week for an address and a program, and again for another', async () => {
      const { id, username } = await anAccount(world.ctx, { password })
      await world.ctx.database.query.updateTable('users').set({ created_at: 0 }).where('id', '=', id).execute()
      const from = (address: string, agent: string) =>
        site.send('POST', '/api/user/login', {
          body: { username, password },
          address,
          headers: { 'user-agent': agent },
        })
      const readInbox = async () => {
        const inbox = await world.ctx.database.query
          .selectFrom('message_receipts')
          .select('message_id')
          .where('user_id', '=', id)
          .execute()
        return inbox.length
      }
      await from('198.51.100.7', 'a')
      await from('198.51.100.7', 'a')
      expect(await readInbox()).toBe(1)
      await from('198.51.100.7', 'b')
      await from('198.51.100.8', 'a')
      expect(await readInbox()).toBe(3)
    })

    once('a known device has a count of its own, which ends too', async () => {
      const { username } = await anAccount(world.ctx, { password })
      const other = await anAccount(world.ctx, { password })
      const address = '198.51.100.3'
      const first = await site.send('POST', '/api/user/login', { body: { username, password }, address })
      const cookie =
        first.headers
          .getSetCookie()
          .find((one) => one.startsWith('device='))
          ?.split(';')[0] ?? ''
      const wrong = (name: string) =>
        site.send('POST', '/api/user/login', { body: { username: name, password: 'x' }, address, headers: { cookie } })
      for (const [name, key] of [
        [username, `1200:sign-in:device:${sha256(cookie.slice('device='.length))}:${sha256(username)}`],
        // The device means nothing for an account that never used it.
        [other.username, `1200:sign-in:account:${address}:${sha256(other.username)}`],
      ] as const) {
        expect((await wrong(name)).status).toBe(200)
        const count = world.ctx.database.query.selectFrom('limit_counts').select('count').where('key', '=', key)
        expect(await count.execute()).toEqual([{ count: 1 }])
        await world.ctx.database.query.updateTable('limit_counts').set({ count: 20 }).where('key', '=', key).execute()
        expect((await wrong(name)).status).toBe(429)
      }
    })

    once('signing out ends the session on the server, too', async () => {
      const { id } = await anAccount(world.ctx)
      for (const method of ['GET', 'POST']) {
        const signedIn = await site.signIn(id)
        const response = await site.send(method, '/api/user/logout', { headers: { cookie: signedIn.cookie } })
        const [plain = '', secure = ''] = response.headers.getSetCookie()
        expect(plain).toStartWith('session=; Max-Age=0')
        expect(secure).toStartWith('__Host-session=; Max-Age=0')
        expect(secure).toContain('; Secure')
        expect(response.headers.get('clear-site-data')).toBe('"cache"')
        expect(await isIn(signedIn)).toBe(false)
      }
      expect((await site.send('POST', '/api/user/logout')).status).toBe(200)
    })
  })

  describe('self', () => {
    once('the account is shown without a secret', async () => {
      const { id, username } = await anAccount(world.ctx, { password, quota: 123 })
      const self = await site.client(await site.signIn(id)).call(accountRoutes.getSelf)
      expect(self).toMatchObject({ id, username, quota: 123, used_quota: 0, role: role.user })
      expect(Object.keys(self)).not.toContainAnyValues([
        'password',
        'password_hash',
        'access_token',
        'access_token_hash',
      ])
    })

    once('users change their names, and nothing that is not theirs', async () => {
      const { id } = await anAccount(world.ctx)
      const other = await anAccount(world.ctx)
      const signedIn = await site.signIn(id)
      const client = site.client(signedIn)
      await client.call(accountRoutes.updateSelf, {
        body: { username: `new-${kind}`, display_name: 'New', password: '' },
      })
      expect(await client.call(accountRoutes.getSelf)).toMatchObject({ username: `new-${kind}`, display_name: 'New' })
      const rename = client.call(accountRoutes.updateSelf, { body: { username: other.username.toUpperCase() } })
      expect(await failureOf(rename)).toBe('user.exists')
      const self = await client.call(accountRoutes.getSelf)
      const sentBack = {
        ...self,
        display_name: 'Newer',
        role: 100,
        group: 'vip',
        quota: 100,
        status: 2,
        id: 1,
        aff_quota: 9,
      }
      const edited = await site.send('PUT', '/api/user/self', { as: signedIn, body: sentBack })
      expect(edited.status).toBe(200)
      expect(await client.call(accountRoutes.getSelf)).toEqual({ ...self, display_name: 'Newer' })
      for (const field of ['access_token', 'password_hash', 'unheard_of']) {
        const body = { display_name: 'x', [field]: 'x' }
        expect((await site.send('PUT', '/api/user/self', { as: signedIn, body })).status).toBe(400)
      }
      expect(await client.call(accountRoutes.getSelf)).toMatchObject({ role: role.user, display_name: 'Newer' })
    })

    once('changing the password requires the current one, and ends every other access', async () => {
      const { id, username } = await anAccount(world.ctx, { password })
      const [here, elsewhere] = [await site.signIn(id), await site.signIn(id)]
      const client = site.client(here)
      const { proof } = await client.call(accountRoutes.stepUp, { body: { purpose: 'access_token', password } })
      const accessToken = await client.call(accountRoutes.newAccessToken, { stepUpProof: proof })
      const set = (body: { password: string; original_password?: string }) =>
        failureOf(client.call(accountRoutes.updateSelf, { body }))
      expect(await set({ password: 'another horse' })).toBe('auth.step_up')
      expect(await set({ password: 'another horse', original_password: 'wrong' })).toBe('user.password_original')
      expect(await set({ password: 'short', original_password: password })).toBe('user.password')
      expect(await set({ password: 'another horse', original_password: password })).toBe('success')
      expect(await isIn(here)).toBe(true)
      expect(await isIn(elsewhere)).toBe(false)
      expect(await failureOf(site.client(undefined, { accessToken }).call(accountRoutes.getSelf))).toBe(
        'auth.token_invalid',
      )
      expect(await failureOf(logIn(username))).toBe('login.failed')
      expect((await logIn(username, 'another horse')).id).toBe(id)
    })

    once('an account can be closed, except for the super admin’s', async () => {
      const { id, username } = await anAccount(world.ctx, { password })
      const signedIn = await site.signIn(id)
      const { proof } = await site
        .client(signedIn)
        .call(accountRoutes.stepUp, { body: { purpose: 'close_account', password } })
      await site.client(signedIn).call(accountRoutes.deleteSelf, { stepUpProof: proof })
      expect(await isIn(signedIn)).toBe(false)
      expect(await failureOf(logIn(username))).toBe('login.failed')
      const root = await site.signIn((await anAccount(world.ctx, { role: role.root })).id)
      expect(await failureOf(site.client(root).call(accountRoutes.deleteSelf))).toBe('root.self_delete')
      expect(await isIn(root)).toBe(true)
    })

    once('an account whose balance is below zero cannot be closed', async () => {
      const { id } = await anAccount(world.ctx, { quota: 100 })
      const signedIn = await site.signIn(id)
      const { ledger } = world.ctx
      const call = await ledger.reserve(`dear-${id}`, { userId: id, tokenId: 0, isTokenLimited: false }, 10)
      await ledger.charge(call, aCharge(130, { userId: id }))
      await ledger.waitUntilApplied()
      expect(await failureOf(site.client(signedIn).call(accountRoutes.deleteSelf))).toBe('user.in_debt')
      await ledger.credit({ id: `paid-${id}`, userId: id, kind: 'top-up', amount: 30 })
      expect(await failureOf(site.client(signedIn).call(accountRoutes.deleteSelf))).toBe('success')
    })
  })

  once('an access token is shown once, stored as a hash, and replaced by the next', async () => {
    const { id } = await anAccount(world.ctx)
    const signedIn = await site.signIn(id)
    const first = await site.client(signedIn).call(accountRoutes.newAccessToken)
    expect((await site.client(undefined, { accessToken: first }).call(accountRoutes.getSelf)).id).toBe(id)
    const second = await site.client(signedIn).call(accountRoutes.newAccessTokenByLink)
    expect(await failureOf(site.client(undefined, { accessToken: first }).call(accountRoutes.getSelf))).toBe(
      'auth.token_invalid',
    )
    expect((await site.client(undefined, { accessToken: second }).call(accountRoutes.getSelf)).id).toBe(id)
    const row = await world.ctx.database.query
      .selectFrom('users')
      .select('access_token_hash')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row?.access_token_hash).toBe(sha256(second))
  })

  test('sessions are listed and ended only by their owner', async () => {
    const { id } = await anAccount(world.ctx)
    const [here, elsewhere] = [await site.signIn(id), await site.signIn(id)]
    const stranger = await site.signIn((await anAccount(world.ctx)).id)
    const list = await site.client(here).call(sessionRoutes.listSessions)
    expect(list.filter((session) => session.is_current)).toHaveLength(1)
    expect(list).toHaveLength(2)
    const other = list.find((session) => !session.is_current)
    const end = (as: SignedIn) =>
      failureOf(site.client(as).call(sessionRoutes.endSession, { params: { id: other?.id ?? '' } }))
    expect(await end(stranger)).toBe('session.none')
    expect(await isIn(elsewhere)).toBe(true)
    expect(await end(here)).toBe('success')
    expect(await isIn(elsewhere)).toBe(false)
    expect(await end(here)).toBe('session.none')
  })
})

describe('time', () => {
  test('a session ends after thirty days, and is updated at most once a minute', async () => {
    let now = 1_700_000_000_000
    await using world = await createWorld({ clock: createClock(() => now) })
    const site = createTestConsole(world.ctx, handlers)
    const signedIn = await site.signIn((await anAccount(world.ctx)).id)
    const readLastSeen = async () => {
      await site.client(signedIn).call(accountRoutes.getSelf)
      const row = await world.ctx.database.query.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow()
      return row.last_seen_at - 1_700_000_000
    }
    now += 59_000
    expect(await readLastSeen()).toBe(0)
    now += 1000
    expect(await readLastSeen()).toBe(60)
    now = 1_700_000_000_000 + 30 * 24 * 3600 * 1000
    expect(await failureOf(site.client(signedIn).call(accountRoutes.getSelf))).toBe('auth.required')
  })

  test('verifying the unusable hash takes as long as a real one', async () => {
    const costs = (hash: string) => hash.split('$').slice(0, 4)
    expect(costs(unusableHash)).toEqual(costs(await Bun.password.hash('x', passwordHashing)))
  })
})

describe('cookies', () => {
  async function aSite() {
    const world = await createWorld({ environment: { TRUSTED_PROXIES: '10.0.0.0/8' } })
    const site = createTestConsole(world.ctx, handlers)
    const { id, username } = await anAccount(world.ctx, { password })
    const cookiesVia = async (address: string, headers: Record<string, string>) => {
      const response = await site.send('POST', '/api/user/login', { body: { username, password }, address, headers })
      return response.headers.getSetCookie()
    }
    const isIn = async (cookie: string) =>
      (await failureOf(site.client({ userId: id, cookie }).call(accountRoutes.getSelf))) === 'success'
    const isInVia = async (address: string, headers: Record<string, string>, cookie: string) =>
      (await site.send('GET', '/api/user/self', { as: { userId: id, cookie }, address, headers })).status === 200
    return { world, cookiesVia, isIn, isInVia, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
  }

  test('cookies are for TLS and this host only where the client speaks TLS', async () => {
    await using site = await aSite()
    const proxied = { 'x-forwarded-proto': 'https' }
    const ours = { origin: 'https://console.test', 'content-type': 'application/json' }
    for (const [address, headers] of [
      ['10.0.0.1', proxied],
      ['192.0.2.1', ours],
    ] as const) {
      const [session = '', old = '', device = ''] = await site.cookiesVia(address, headers)
      expect(session).toMatch(/^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
      expect(old).toStartWith('session=; Max-Age=0')
      expect(device).toMatch(/^__Host-device=.*; Secure/)
      expect(await site.isIn(session.split(';')[0] ?? '')).toBe(true)
    }
    const [plain = ''] = await site.cookiesVia('192.0.2.1', proxied)
    expect(plain).toStartWith('session=')
    expect(plain).not.toContain('; Secure')
  })

  test('a cookie of a sibling host does not replace one for this host only', async () => {
    await using site = await aSite()
    const [session = ''] = await site.cookiesVia('10.0.0.1', { 'x-forwarded-proto': 'https' })
    const own = session.split(';')[0] ?? ''
    expect(await site.isIn(`session=planted; ${own}`)).toBe(true)
    const [plain = ''] = await site.cookiesVia('192.0.2.1', {})
    expect(await site.isIn(`__Host-session=planted; ${plain.split(';')[0]}`)).toBe(false)
  })

  test.each<[string, string, Record<string, string>]>([
    ['a trusted proxy says so', '10.0.0.1', { 'x-forwarded-proto': 'https' }],
    ['its page is', '192.0.2.1', { origin: 'https://console.test' }],
    ['the page before it is', '192.0.2.1', { referer: 'https://console.test/app' }],
  ])('a cookie without the prefix signs no one in over TLS, where %s', async (_how, address, headers) => {
    await using site = await aSite()
    const [plain = ''] = await site.cookiesVia('192.0.2.1', {})
    const own = plain.split(';')[0] ?? ''
    expect(await site.isInVia('192.0.2.1', {}, own)).toBe(true)
    expect(await site.isInVia(address, headers, own)).toBe(false)
    expect(await site.isInVia(address, headers, `theme=dark; __Host-${own}; session=planted`)).toBe(true)
  })
})

describe('password sign-in', () => {
  test('password sign-in can be disabled', async () => {
    await using world = await createWorld()
    await world.ctx.database.query
      .insertInto('options')
      .values({ key: 'PasswordLoginEnabled', value: 'false' })
      .execute()
    await world.ctx.catalog.rebuild()
    const client = createTestConsole(world.ctx, handlers).client()
    const call = client.call(sessionRoutes.logIn, { body: { username: 'a', password } })
    expect(await failureOf(call)).toBe('login.password_off')
  })
})
