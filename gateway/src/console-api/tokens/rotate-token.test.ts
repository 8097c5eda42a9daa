import { describe, expect, test } from 'bun:test'

import { ApiError, auditRoutes, role, tokenRoutes } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { anAccount, createTestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { createWorld } from '../../../test/world'
import { createAccountCache } from '../../accounts/callers/account-cache'
import { systemTimers } from '../../platform/time/timers'
import { Changes } from '../../platform/store/changes'
import { sha256 } from '../../platform/store/seal'
import { handlers } from '../../../test/all-handlers'

const hour = 3600

async function start(kind: (typeof kinds)[number]) {
  let seconds = 1_700_000_000
  const clock = createClock(() => seconds * 1000)
  const world = await createWorld({ kind, clock })
  const { ctx } = world
  const { database } = ctx
  await database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  const site = createTestConsole(ctx, handlers)
  const clientOf = async (fields: object) => site.client(await site.signIn((await anAccount(ctx, fields)).id))
  const ann = await clientOf({ username: 'ann' })
  const token = await ann.call(tokenRoutes.createToken, { body: { name: 'main', unlimited_quota: true } })
  const rotate = (grace_seconds?: number, id = token.id, as = ann) =>
    as.call(tokenRoutes.rotateToken, { params: { id }, body: { grace_seconds } })

  // What another node has in memory, and the changes it reads.
  const changes = new Changes({
    database,
    clock,
    timers: systemTimers,
    onError: (error) => {
      throw error
    },
  })
  const elsewhere = createAccountCache({ database, changes, clock })
  const expiryOf = async (key: string) => {
    await changes.deliver()
    const [here, there] = await Promise.all([ctx.accounts.byKeyHash(sha256(key)), elsewhere.byKeyHash(sha256(key))])
    expect(here).toEqual(there)
    return here?.expiresAt
  }
  return {
    ctx,
    clientOf,
    ann,
    token,
    rotate,
    expiryOf,
    now: () => seconds,
    pass: (more: number) => void (seconds += more),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('rotating a token (%s)', (kind) => {
  const once = onceOf(kind)

  once('rotation gives a token a new key and stops the old one at once, on every node', async () => {
    await using world = await start(kind)
    const { token, rotate, expiryOf } = world
    expect(await expiryOf(token.key)).toBe(-1)
    const rotated = await rotate()
    expect(rotated.key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(rotated.key).not.toBe(token.key)
    expect(rotated).toEqual({ ...token, key: rotated.key })
    expect(await expiryOf(token.key)).toBeUndefined()
    expect(await expiryOf(rotated.key)).toBe(-1)
  })

  test('rotation keeps the old key working through the grace and not a second longer', async () => {
    await using world = await start(kind)
    const { token, rotate, expiryOf, now, pass } = world
    const until = now() + hour
    const rotated = await rotate(hour)
    expect(rotated.previous_key_until).toBe(until)
    expect(await expiryOf(token.key)).toBe(until)
    expect(await expiryOf(rotated.key)).toBe(-1)
    pass(hour)
    // What is in memory expires by itself; what is looked up is not found.
    expect(await expiryOf(token.key)).toBe(until)
    await rotate(hour)
    expect(await expiryOf(token.key)).toBeUndefined()
    expect(await expiryOf(rotated.key)).toBe(now() + hour)
    const read = await world.ann.call(tokenRoutes.getToken, { params: { id: token.id } })
    expect(read.previous_key_until).toBe(now() + hour)
  })

  test('a key past its grace is not found by a node that has not seen it', async () => {
    await using world = await start(kind)
    await world.rotate(hour)
    world.pass(hour)
    expect(await world.expiryOf(world.token.key)).toBeUndefined()
    const read = await world.ann.call(tokenRoutes.getToken, { params: { id: world.token.id } })
    expect(read.previous_key_until).toBe(0)
  })

  once('rotation does not extend the expiry of a token', async () => {
    await using world = await start(kind)
    const { ann, token, rotate, expiryOf, now } = world
    const expires = now() + 60
    await ann.call(tokenRoutes.updateToken, { body: { id: token.id, expired_time: expires } })
    const rotated = await rotate(hour)
    expect([await expiryOf(token.key), await expiryOf(rotated.key)]).toEqual([expires, expires])
  })

  test('a second immediate rotation also ends the grace of the first', async () => {
    await using world = await start(kind)
    const second = await world.rotate(hour)
    const third = await world.rotate()
    expect(await world.expiryOf(world.token.key)).toBeUndefined()
    expect(await world.expiryOf(second.key)).toBeUndefined()
    expect(await world.expiryOf(third.key)).toBe(-1)
  })

  test('deleting or disabling the token applies to both keys', async () => {
    await using world = await start(kind)
    const { ann, ctx, token, rotate, expiryOf } = world
    const { key } = await rotate(hour)
    expect([await expiryOf(token.key), await expiryOf(key)]).not.toContain(undefined)
    await ann.call(tokenRoutes.updateToken, { body: { id: token.id, status: 2 }, query: { status_only: true } })
    const statuses = [token.key, key].map(async (each) => (await ctx.accounts.byKeyHash(sha256(each)))?.status)
    expect(await Promise.all(statuses)).toEqual([2, 2])
    await ann.call(tokenRoutes.deleteToken, { params: { id: token.id } })
    expect([await expiryOf(token.key), await expiryOf(key)]).toEqual([undefined, undefined])
  })

  test('rotation is allowed to the owner only, limits the grace, and leaves an audit row without a key', async () => {
    await using world = await start(kind)
    const { token, rotate, now } = world
    const bob = await world.clientOf({ username: 'bob' })
    expect(await codeOf(rotate(0, token.id, bob))).toBe('token.none')
    expect(await codeOf(rotate(tokenRoutes.maxKeyGraceSeconds + 1))).toBe('input.invalid')
    const { key } = await rotate(hour)
    const root = await world.clientOf({ username: 'root', role: role.root })
    const { items } = await root.call(auditRoutes.listAudit, { query: { page_size: 100 } })
    const rows = items.filter(({ action, outcome }) => action === 'token.rotate' && outcome === 'ok')
    expect(rows).toMatchObject([{ username: 'ann', target: 'token', target_id: String(token.id), target_name: 'main' }])
    expect(rows[0]?.after).toEqual({ previous_key_until: now() + hour })
    expect(JSON.stringify(items)).not.toContain(key)
  })
})
