import { describe, expect, test } from 'bun:test'

import * as z from 'zod'

import { Envelope, tokenRoutes, type ErrorCode } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { createTestConsole, anAccount } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { spend } from '../../../test/spend'
import { createWorld } from '../../../test/world'
import { sha256 } from '../../platform/store/seal'
import { tokenHandlers } from './tokens'

for (const kind of kinds) {
  const once = onceOf(kind)

  let now = 1_700_000_000_000
  const clock = createClock(() => now)

  const start = async () => {
    const world = await createWorld({ kind, clock })
    const { ctx } = world
    const console = createTestConsole(ctx, tokenHandlers)
    await ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
    const { id: annId } = await anAccount(ctx, { username: 'ann', quota: 1_000_000 })
    const ann = await console.signIn(annId)
    const bob = await console.signIn((await anAccount(ctx, { username: 'bob' })).id)
    const send = async (as: typeof ann, method: string, path: string, body?: unknown) => {
      const response = await console.send(method, path, { as, body, headers: { 'Accept-Language': 'en' } })
      return { status: response.status, ...Envelope.parse(await response.json()) }
    }
    const createToken = async (fields: Record<string, unknown> = {}, as = ann) => {
      const envelope = await send(as, 'POST', '/api/token/', { name: 'key', ...fields })
      expect([envelope.code, envelope.message]).toEqual([undefined, ''])
      return tokenRoutes.TokenEntity.parse(envelope.data)
    }
    const codeOf = async (...call: Parameters<typeof send>) => (await send(...call)).code
    return {
      ctx,
      ann,
      annId,
      bob,
      send,
      createToken,
      codeOf,
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    }
  }

  describe(`tokens (${kind})`, () => {
    once('a new token has a key of 48 letters and digits, stored only sealed and hashed', async () => {
      await using world = await start()
      const token = await world.createToken({ remain_quota: 500_000, allow_ips: '10.0.0.0/8\n::1\n' })
      expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/)
      expect(token).toMatchObject({
        status: 1,
        expired_time: -1,
        remain_quota: 500_000,
        unlimited_quota: false,
        allow_ips: '10.0.0.0/8\n::1',
        rate_limit_period: 60,
        rate_limit_count: 1000,
        rate_limit_success: 10,
      })
      const rows = await world.ctx.database.query.selectFrom('tokens').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(token.key)
      expect((await world.ctx.accounts.byKeyHash(sha256(token.key)))?.id).toBe(token.id)
      expect(await world.send(world.ann, 'POST', `/api/token/${token.id}/key`)).toMatchObject({
        data: { key: token.key },
      })
    })

    once('a page counts from 0 and has only the owner’s tokens, newest first', async () => {
      await using world = await start()
      for (const name of ['one', 'two', 'three']) await world.createToken({ name, unlimited_quota: true })
      await world.createToken({ name: 'four' }, world.bob)
      const page = async (query: string) => {
        const { data } = await world.send(world.ann, 'GET', `/api/token/${query}`)
        const { items, total } = tokenRoutes.listTokens.data?.parse(data) ?? { items: [], total: 0 }
        return { names: items.map(({ name }) => name), total }
      }
      expect(await page('?p=0&size=2')).toEqual({ names: ['three', 'two'], total: 3 })
      expect(await page('?p=1&size=2')).toEqual({ names: ['one'], total: 3 })
      expect(await page('?p=-5&size=100000')).toEqual({ names: ['three', 'two', 'one'], total: 3 })
      expect(await page('search?p=0&keyword=T')).toEqual({ names: ['three', 'two'], total: 2 })
      expect(await page('search?p=0&keyword=%25')).toEqual({ names: [], total: 0 })
    })

    once('a search returns an array of at most a thousand without a page number, and a page with one', async () => {
      await using world = await start()
      const rows = Array.from({ length: 1001 }, (_, index) => ({
        user_id: world.ann.userId,
        key_hash: `s${index}`,
        key_sealed: '',
        name: 'key',
        created_time: 1,
      }))
      await world.ctx.database.query.insertInto('tokens').values(rows).execute()
      const search = async (query: string) => (await world.send(world.ann, 'GET', `/api/token/search${query}`)).data
      expect(z.array(tokenRoutes.TokenEntity).parse(await search('?keyword=key'))).toHaveLength(1000)
      expect(await search('?keyword=key&p=1&size=10')).toMatchObject({ page: 1, page_size: 10, total: 1001 })
    })

    once('a search finds a part of the key, with or without sk-', async () => {
      await using world = await start()
      const token = await world.createToken()
      await world.createToken()
      const findIds = async (part: string, as = world.ann) => {
        const { data } = await world.send(as, 'GET', `/api/token/search?token=${part}`)
        return z
          .array(tokenRoutes.TokenEntity)
          .parse(data)
          .map(({ id }) => id)
      }
      expect(await findIds(`sk-${token.key}`)).toEqual([token.id])
      expect(await findIds(token.key.slice(5, 25))).toEqual([token.id])
      expect(await findIds(token.key, world.bob)).toEqual([])
    })

    once('no user can read, change or delete the token of another', async () => {
      await using world = await start()
      const { ann, bob, codeOf } = world
      const { id, key } = await world.createToken({ unlimited_quota: true })
      expect(await codeOf(bob, 'GET', `/api/token/${id}`)).toBe('token.none')
      expect(await codeOf(bob, 'POST', `/api/token/${id}/key`)).toBe('token.none')
      expect(await codeOf(bob, 'PUT', '/api/token/', { id, name: 'mine' })).toBe('token.none')
      expect(await codeOf(bob, 'PUT', '/api/token/?status_only=true', { id, status: 2 })).toBe('token.none')
      expect(await codeOf(bob, 'DELETE', `/api/token/${id}/`)).toBe('token.none')
      expect((await world.send(bob, 'POST', '/api/token/batch', { ids: [id] })).data).toBe(0)
      expect((await world.send(ann, 'GET', `/api/token/${id}`)).data).toMatchObject({ name: 'key', status: 1, key })
    })

    test('a deleted token stops working at once and is gone from every list', async () => {
      await using world = await start()
      const { id, key } = await world.createToken()
      expect(await world.ctx.accounts.byKeyHash(sha256(key))).not.toBeNull()
      expect(await world.codeOf(world.ann, 'DELETE', `/api/token/${id}/`)).toBeUndefined()
      expect(await world.ctx.accounts.byKeyHash(sha256(key))).toBeNull()
      expect(await world.codeOf(world.ann, 'DELETE', `/api/token/${id}/`)).toBe('token.none')
      expect((await world.send(world.ann, 'GET', '/api/token/')).data).toMatchObject({ items: [], total: 0 })
    })

    test('an edit changes what it names, and a row sent back changes nothing else', async () => {
      await using world = await start()
      const token = await world.createToken({ remain_quota: 10, model_limits_enabled: true, model_limits: 'b, a,,b' })
      expect(token.model_limits).toBe('b,a')
      const sentBack = await world.send(world.ann, 'PUT', '/api/token/', { ...token, used_quota: 77, key: 'other' })
      expect(sentBack.data).toEqual(token)
      const edited = await world.send(world.ann, 'PUT', '/api/token/', { id: token.id, remain_quota: 4, group: 'vip' })
      expect(edited.data).toEqual({ ...token, remain_quota: 4, remain_quota_read: 4, group: 'vip' })
    })

    once('a row that was read before calls were charged restores none of what they cost', async () => {
      await using world = await start()
      const read = await world.createToken({ remain_quota: 40_000 })
      await spend(world.ctx, { userId: world.annId, tokenId: read.id, isTokenLimited: true }, 10_000)
      const put = async (body: object) => (await world.send(world.ann, 'PUT', '/api/token/', body)).data
      expect(await put({ ...read, name: 'renamed' })).toMatchObject({ name: 'renamed', remain_quota: 30_000 })
      expect(await put({ ...read, remain_quota: 45_000 })).toMatchObject({ remain_quota: 35_000 })
      const taken = { id: read.id, remain_quota: 0, remain_quota_read: 40_000 }
      expect(await put(taken)).toMatchObject({ remain_quota: -5000, status: 4 })
      const overspent = await put({ id: read.id, name: 'again' })
      expect(await put({ ...tokenRoutes.TokenEntity.parse(overspent), group: '' })).toMatchObject({
        remain_quota: -5000,
      })
      expect(await put({ id: read.id, remain_quota: 45_000 })).toMatchObject({ remain_quota: 45_000 })
    })

    once('a reduced quota refuses the next call, whatever was leased', async () => {
      await using world = await start()
      const { id } = await world.createToken({ remain_quota: 500_000 })
      const payer = { userId: world.annId, tokenId: id, isTokenLimited: true }
      await spend(world.ctx, payer, 100)
      await world.send(world.ann, 'PUT', '/api/token/', { id, remain_quota: 0 })
      expect(await Promise.resolve(world.ctx.ledger.reserve('next', payer, 1)).catch(String)).toContain('quota.token')
    })

    once('a row that was read creates another token of the same terms', async () => {
      await using world = await start()
      const token = await world.createToken({
        name: 'first',
        remain_quota: 10,
        model_limits_enabled: true,
        model_limits: 'b',
      })
      const copy = await world.createToken({ ...token, status: 2, used_quota: 5 })
      expect(copy.id).not.toBe(token.id)
      expect(copy.key).not.toBe(token.key)
      expect(copy).toEqual({ ...token, id: copy.id, key: copy.key })
    })

    test('an expired or exhausted token can be sent back as it was read', async () => {
      await using world = await start()
      const expired = await world.createToken({ expired_time: Math.floor(now / 1000) + 60, unlimited_quota: true })
      const exhausted = await world.createToken({ remain_quota: 0 })
      now += 61_000
      for (const { id } of [expired, exhausted]) {
        const { data: row } = await world.send(world.ann, 'GET', `/api/token/${id}`)
        const sentBack = await world.send(world.ann, 'PUT', '/api/token/', row)
        expect([sentBack.code, sentBack.data]).toEqual([undefined, row])
      }
    })

    once('nothing but the status changes with status_only', async () => {
      await using world = await start()
      const token = await world.createToken({ unlimited_quota: true })
      const body = { id: token.id, status: 2, name: 'changed', remain_quota: 9 }
      expect((await world.send(world.ann, 'PUT', '/api/token/?status_only=true', body)).data).toEqual({
        ...token,
        status: 2,
      })
      expect((await world.ctx.accounts.byKeyHash(sha256(token.key)))?.status).toBe(2)
    })

    once('an expired or exhausted token is shown as such, and cannot be enabled until that is fixed', async () => {
      await using world = await start()
      const { ann, send, codeOf } = world
      const soon = Math.floor(now / 1000) + 60
      const token = await world.createToken({ expired_time: soon, unlimited_quota: true })
      const empty = await world.createToken({ remain_quota: 0 })
      now += 61_000
      const statusOf = async (id: number) =>
        tokenRoutes.TokenEntity.parse((await send(ann, 'GET', `/api/token/${id}`)).data).status
      expect([await statusOf(token.id), await statusOf(empty.id)]).toEqual([3, 4])
      const enable = (id: number, fields = {}) => codeOf(ann, 'PUT', '/api/token/', { id, status: 1, ...fields })
      expect(await enable(token.id)).toBe('token.expired_enable')
      expect(await enable(empty.id)).toBe('token.exhausted_enable')
      expect(await enable(token.id, { expired_time: -1 })).toBeUndefined()
      expect(await enable(empty.id, { remain_quota: 5 })).toBeUndefined()
      expect([await statusOf(token.id), await statusOf(empty.id)]).toEqual([1, 1])
    })

    once('bad values are refused with their code and leave nothing behind', async () => {
      await using world = await start()
      const { ann, codeOf } = world
      const cases: [Record<string, unknown>, ErrorCode][] = [
        [{ name: '  ' }, 'token.name_empty'],
        [{ name: 'x'.repeat(51) }, 'token.name_long'],
        [{ expired_time: 0 }, 'token.expiry'],
        [{ expired_time: 1.5 }, 'token.expiry'],
        [{ expired_time: -2 }, 'token.expiry'],
        [{ expired_time: 1e15 }, 'token.expiry'],
        [{ expired_time: 'tomorrow' }, 'token.expiry'],
        [{ expired_time: null }, 'token.expiry'],
        [{ remain_quota: -1 }, 'token.quota'],
        [{ remain_quota: 0.5 }, 'token.quota'],
        [{ remain_quota: 1e16 }, 'token.quota'],
        [{ remain_quota: '5' }, 'token.quota'],
        [{ group: 'svip' }, 'token.group'],
        [{ group: 'none' }, 'token.group'],
        [{ group: '__proto__' }, 'token.group'],
        [{ model_limits: 'x'.repeat(256) }, 'token.models'],
        [{ model_limits: 'a,'.repeat(40_000) }, 'token.models'],
        [{ allow_ips: '10.0.0.1\nhost.example' }, 'token.ips'],
        [{ allow_ips: '10.0.0.0/33' }, 'token.ips'],
        [{ allow_ips: '10.1' }, 'token.ips'],
        [{ allow_ips: '10.0.0.0/8/8' }, 'token.ips'],
        [{ rate_limit_period: 0 }, 'input.invalid'],
        [{ rate_limit_count: -1 }, 'input.invalid'],
        [{ unheard_of: 2 }, 'input.invalid'],
        [{ unlimited_quota: 'yes' }, 'input.invalid'],
      ]
      for (const [fields, code] of cases) {
        expect([fields, await codeOf(ann, 'POST', '/api/token/', { name: 'key', ...fields })]).toEqual([fields, code])
      }
      const { id } = await world.createToken({ name: '🙂'.repeat(50), unlimited_quota: true })
      for (const status of [0, 3, 4, -1]) {
        expect(await codeOf(ann, 'PUT', '/api/token/', { id, status })).toBe('token.status')
      }
      const { total } = await world.ctx.database.query
        .selectFrom('tokens')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      expect(total).toBe(1)
    })

    test('a user has a thousand tokens and not one more', async () => {
      await using world = await start()
      const { userId } = world.ann
      const rows = Array.from({ length: 998 }, (_, index) => ({
        user_id: userId,
        key_hash: `h${index}`,
        key_sealed: '',
        name: 'key',
        created_time: 1,
      }))
      for (let first = 0; first < rows.length; first += 200) {
        await world.ctx.database.query
          .insertInto('tokens')
          .values(rows.slice(first, first + 200))
          .execute()
      }
      const codes = await Promise.all(
        [1, 2, 3, 4].map(() => world.codeOf(world.ann, 'POST', '/api/token/', { name: 'key' })),
      )
      expect(codes.filter((code) => code === undefined)).toHaveLength(2)
      expect(codes.filter((code) => code === 'token.limit')).toHaveLength(2)
      await world.createToken({}, world.bob)
    })
  })
}
