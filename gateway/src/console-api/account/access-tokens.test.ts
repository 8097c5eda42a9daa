import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { accessTokenRoutes, ApiError, role, accountRoutes, userRoutes, type TokenScope } from '@tollgate/contract'

import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { userHandlers } from '../users/users'
import { selfHandlers } from './account'
import { WallClock } from '../../../test/fake-time'

setDefaultTimeout(120_000)

const password = 'correct horse'

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

interface TokenRequest {
  readonly name?: string
  readonly expires_at?: number | null
  readonly scopes?: TokenScope[] | null
}

describe.each(kinds)('named access tokens (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let clock: WallClock
  beforeEach(async () => {
    clock = new WallClock()
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...selfHandlers, ...userHandlers])
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const now = () => world.ctx.clock.seconds()
  const anOwner = async (rank: number = role.user) => {
    const { id } = await anAccount(world.ctx, { role: rank, password })
    const as = await site.signIn(id)
    const client = site.client(as)
    const create = async (tokenRequest: TokenRequest = {}) =>
      client.call(accessTokenRoutes.createAccessToken, await proven(as, tokenRequest))
    return { id, as, client, create, list: () => client.call(accessTokenRoutes.listAccessTokens) }
  }
  const proven = async (as: SignedIn, tokenRequest: TokenRequest) => {
    const body = { purpose: 'access_token', password } as const
    const { proof } = await site.client(as).call(accountRoutes.stepUp, { body })
    return { body: { name: 'script', ...tokenRequest }, stepUpProof: proof }
  }
  const by = (accessToken: string) => site.client(undefined, { accessToken })
  const selfBy = (accessToken: string) => outcomeOf(by(accessToken).call(accountRoutes.getSelf))
  const usersBy = (accessToken: string) => outcomeOf(by(accessToken).call(userRoutes.listUsers))

  test('tokens work independently until they are revoked, and are listed without their secret', async () => {
    const owner = await anOwner()
    const one = await owner.create({ name: ' one ' })
    const two = await owner.create({ name: 'two' })
    expect([await selfBy(one.token), await selfBy(two.token)]).toEqual(['ok', 'ok'])
    const listed = await owner.list()
    expect(listed.map(({ name, scopes, expires_at: expires }) => [name, scopes, expires])).toEqual([
      ['two', null, null],
      ['one', null, null],
    ])
    expect(JSON.stringify(listed)).not.toContain(one.token)
    const stored = await world.ctx.database.query.selectFrom('access_tokens').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(one.token)
    const stranger = await anOwner()
    const revoke = (client: typeof owner.client) =>
      outcomeOf(client.call(accessTokenRoutes.deleteAccessToken, { params: { id: one.id } }))
    expect(await revoke(stranger.client)).toBe('access_token.none')
    expect(await revoke(owner.client)).toBe('ok')
    expect([await selfBy(one.token), await selfBy(two.token)]).toEqual(['auth.token_invalid', 'ok'])
    expect(await stranger.list()).toEqual([])
  })

  once('tokens expire at their time, and not before', async () => {
    const owner = await anOwner()
    const { token } = await owner.create({ expires_at: now() + 3600 })
    expect(await selfBy(token)).toBe('ok')
    clock.jump(3_601_000)
    expect(await selfBy(token)).toBe('auth.token_invalid')
    expect(await owner.list()).toHaveLength(1)
    expect(await outcomeOf(owner.create({ expires_at: now() }))).toBe('access_token.expiry')
  })

  once('tokens record when they were last used, to the minute', async () => {
    const owner = await anOwner()
    const { token } = await owner.create()
    const lastUse = async () => (await owner.list())[0]?.last_used_at ?? 0
    expect(await lastUse()).toBe(0)
    await selfBy(token)
    const first = await lastUse()
    expect(first).toBeGreaterThan(0)
    clock.jump(61_000)
    await selfBy(token)
    expect(await lastUse()).toBeGreaterThan(first + 59)
  })

  test('tokens have their scopes and what those need, and never more than the owner has now', async () => {
    const owner = await anOwner(role.admin)
    const [all, selfOnly, some] = [
      await owner.create(),
      await owner.create({ scopes: ['self.read'] }),
      await owner.create({ scopes: ['users.write'] }),
    ]
    expect(some.scopes).toEqual(['users.read', 'users.write'])
    expect(await Promise.all([all, selfOnly, some].map(({ token }) => usersBy(token)))).toEqual([
      'ok',
      'auth.forbidden',
      'ok',
    ])
    expect(await selfBy(selfOnly.token)).toBe('ok')
    expect(await outcomeOf(owner.create({ scopes: ['settings.secure'] }))).toBe('access_token.scopes')
    const less = { grants: 'logs.read' }
    await world.ctx.database.query.updateTable('users').set(less).where('id', '=', owner.id).execute()
    expect(await Promise.all([all, some].map(({ token }) => usersBy(token)))).toEqual([
      'auth.forbidden',
      'auth.forbidden',
    ])
  })

  once('tokens are created in a session with the password again, not by another token', async () => {
    const owner = await anOwner()
    const body = { name: 'script' }
    expect(await outcomeOf(owner.client.call(accessTokenRoutes.createAccessToken, { body }))).toBe('auth.step_up')
    const { token } = await owner.create()
    const { proof } = await by(token).call(accountRoutes.stepUp, { body: { purpose: 'access_token', password } })
    const minting = by(token).call(accessTokenRoutes.createAccessToken, { body, stepUpProof: proof })
    expect(await outcomeOf(minting)).toBe('access_token.session')
  })

  once('a narrowed token does not renew the token that may do everything, not even with the password', async () => {
    const owner = await anOwner()
    const renew = async (token: string) => {
      const { proof } = await by(token).call(accountRoutes.stepUp, { body: { purpose: 'access_token', password } })
      return outcomeOf(by(token).call(accountRoutes.newAccessToken, { stepUpProof: proof }))
    }
    const narrow = await owner.create({ scopes: ['self.read', 'self.write'] })
    expect(await renew(narrow.token)).toBe('access_token.session')
    expect(await renew((await owner.create()).token)).toBe('ok')
  })

  once('a token with no scope reaches nothing of its owner’s', async () => {
    const owner = await anOwner()
    const { token, scopes } = await owner.create({ scopes: [] })
    expect(scopes).toEqual([])
    expect(await selfBy(token)).toBe('auth.scope')
  })

  test('the number of tokens is limited, also for simultaneous requests', async () => {
    const owner = await anOwner()
    const sent = await proven(owner.as, {})
    const { maxAccessTokens: limit } = accessTokenRoutes
    const create = () => outcomeOf(owner.client.call(accessTokenRoutes.createAccessToken, sent))
    const outcomes = await Promise.all(Array.from({ length: limit + 5 }, create))
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(limit)
    expect(outcomes.filter((outcome) => outcome === 'access_token.limit')).toHaveLength(5)
  })

  once('tokens end with a new password, which leaves the one of existing clients alone', async () => {
    const owner = await anOwner()
    const { token } = await owner.create()
    const { body, stepUpProof } = await proven(owner.as, {})
    const single = await owner.client.call(accountRoutes.newAccessTokenByLink, { stepUpProof })
    expect([body.name, await selfBy(single), await selfBy(token)]).toEqual(['script', 'ok', 'ok'])
    const change = { password: 'another horse', original_password: password }
    await owner.client.call(accountRoutes.updateSelf, { body: change })
    expect([await selfBy(single), await selfBy(token)]).toEqual(['auth.token_invalid', 'auth.token_invalid'])
  })
})
