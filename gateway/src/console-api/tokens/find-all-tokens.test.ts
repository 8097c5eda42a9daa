import { describe, expect, test } from 'bun:test'

import { role, tokenRoutes, tokenStatus } from '@tollgate/contract'

import { aCall, runHandler, aUser } from '../../../test/calls'
import { eachDatabase } from '../../../test/databases'
import { WallClock } from '../../../test/fake-time'
import { aPeriod, aWindow } from '../../../test/windows'
import { createWorld } from '../../../test/world'
import { sha256 } from '../../platform/store/seal'
import { createToken } from './create-token'
import { tokenHandlers } from './tokens'

const now = 1_800_000_000
const unlimited = { unlimited_quota: true }

for (const kind of eachDatabase) {
  async function start() {
    const world = await createWorld({ kind, clock: new WallClock(now * 1000) })
    const { ctx } = world
    const root = await aUser(ctx, { username: 'root', role: role.root })
    const admin = await aUser(ctx, { username: 'admin', role: role.admin })
    const ann = await aUser(ctx, { username: 'Ann', group: 'vip' })
    const bob = await aUser(ctx, { username: 'bob' })
    type User = typeof ann
    const aToken = (user: User, fields: object, columns: Readonly<Record<string, number | string>> = {}) =>
      createToken(
        ctx,
        { userId: user.id, group: user.group },
        tokenRoutes.NewToken.parse({ ...unlimited, ...fields }),
      ).then(async (token) => {
        if (Object.keys(columns).length > 0)
          await ctx.database.query.updateTable('tokens').set(columns).where('id', '=', token.id).execute()
        return token
      })
    const list = async (tokenQuery: Readonly<Record<string, string>> = {}, caller: User = root) => {
      const page = await runHandler(tokenHandlers, 'GET /api/token/all', { query: tokenQuery }, aCall(ctx, { caller }))
      return tokenRoutes.listAllTokens.data?.parse(page) ?? { items: [], total: -1 }
    }
    const names = async (tokenQuery: Readonly<Record<string, string>> = {}, caller: User = root) =>
      (await list(tokenQuery, caller)).items.map(({ name }) => name)
    const set = (caller: User, body: object) =>
      runHandler(tokenHandlers, 'PUT /api/token/all/status', { body }, aCall(ctx, { caller }))
    return { ...world, root, admin, ann, bob, aToken, list, names, set }
  }

  describe(`tokens of all users (${kind})`, () => {
    test('filters tokens and own tokens by limits that are nearly used up', async () => {
      await using world = await start()
      const { ctx, aToken, names, ann } = world
      const [, near] = [await aToken(ann, { name: 'fresh' }), await aToken(ann, { name: 'near' })]
      const { id: windowId } = await aWindow(ctx.database, near.id, { owner: 'token', limit_amount: 100 })
      await aPeriod(ctx.database, windowId, { subject_id: near.id, now, used: 80 })
      expect(await names({ near_limit: 'true' })).toEqual(['near'])
      expect(await names()).toEqual(['near', 'fresh'])
      const own = async (query: Readonly<Record<string, string>>) => {
        const page = await runHandler(tokenHandlers, 'GET /api/token', { query }, aCall(ctx, { caller: ann }))
        return tokenRoutes.listTokens.data?.parse(page).items.map(({ name }) => name)
      }
      expect(await own({ near_limit: 'true' })).toEqual(['near'])
      expect(await own({ near_limit: 'true', sort: 'name' })).toEqual(['near'])
      expect(await own({})).toEqual(['near', 'fresh'])
    })

    test('administrators read the tokens of users below them, with no more of a key than its end', async () => {
      await using world = await start()
      const { aToken, list, names, root, admin, ann } = world
      await aToken(root, { name: 'of root' })
      const token = await aToken(ann, { name: 'of Ann' })
      expect(await names()).toEqual(['of Ann', 'of root'])
      expect(await names({}, admin)).toEqual(['of Ann'])
      expect((await list({}, admin)).items[0]).toMatchObject({
        username: 'Ann',
        effective_group: 'vip',
        key: '*'.repeat(44) + token.key.slice(-4),
      })
    })

    test('tokens are found by name, user and id, exact matches first', async () => {
      await using world = await start()
      const { aToken, names, list, ann, bob } = world
      const first = await aToken(ann, { name: 'web' })
      await aToken(bob, { name: 'web shop' })
      await aToken(bob, { name: `n${first.id}` })
      expect(await names({ keyword: 'WEB' })).toEqual(['web', 'web shop'])
      expect(await names({ keyword: 'ann' })).toEqual(['web'])
      expect((await names({ keyword: String(first.id) }))[0]).toBe('web')
      expect(await names({ username: 'BOB' })).toEqual([`n${first.id}`, 'web shop'])
      expect(await names({ username: 'nobody' })).toEqual([])
      expect(await list({ p: '1', size: '2' })).toMatchObject({ total: 3, items: [{ name: 'web' }] })
    })

    test('tokens are filtered by their status at this moment and by the group they call in', async () => {
      await using world = await start()
      const { aToken, names, ann, bob, ctx } = world
      await aToken(ann, { name: 'on' })
      await aToken(bob, { name: 'off' }, { status: tokenStatus.disabled })
      await aToken(bob, { name: 'past' }, { expired_time: now })
      const leased = await aToken(bob, { name: 'leased', unlimited_quota: false, remain_quota: 0 })
      await aToken(bob, { name: 'spent', unlimited_quota: false, remain_quota: 0 })
      const lease = { id: 'l', worker_id: 'w', kind: 'token', ref_id: leased.id, amount: 9, created_at: now }
      await ctx.database.query.insertInto('leases').values(lease).execute()
      expect(await names({ status: String(tokenStatus.enabled) })).toEqual(['leased', 'on'])
      expect(await names({ status: String(tokenStatus.disabled) })).toEqual(['off'])
      expect(await names({ status: String(tokenStatus.expired) })).toEqual(['past'])
      expect(await names({ status: String(tokenStatus.exhausted) })).toEqual(['spent'])
      expect(await names({ group: 'vip' })).toEqual(['on'])
      // The status in the list is that of the filter.
      const { items } = await world.list()
      for (const { name, status } of items) expect(await names({ status: String(status) })).toContain(name)
    })

    test('tokens are sorted by any figure; those without one come last', async () => {
      await using world = await start()
      const { aToken, names, ann, bob } = world
      const withQuota = (quota: number) => ({ unlimited_quota: false, remain_quota: quota })
      await aToken(ann, { name: 'b', ...withQuota(5) }, { used_quota: 10, accessed_time: 7, expired_time: now + 9 })
      await aToken(bob, { name: 'A', ...withQuota(9) }, { used_quota: 30, accessed_time: 0, expired_time: -1 })
      await aToken(bob, { name: 'c' }, { used_quota: 20, accessed_time: 9, expired_time: now + 5 })
      const sorted = (sort: string) => names({ sort })
      const falling = (sort: string) => names({ sort, descending: 'true' })
      expect(await sorted('name')).toEqual(['A', 'b', 'c'])
      expect(await sorted('user')).toEqual(['b', 'c', 'A'])
      expect(await falling('created')).toEqual(['c', 'A', 'b'])
      expect(await falling('spent')).toEqual(['A', 'c', 'b'])
      expect(await falling('used')).toEqual(['c', 'b', 'A'])
      expect(await falling('left')).toEqual(['A', 'b', 'c'])
      expect(await sorted('expires')).toEqual(['c', 'b', 'A'])
      expect(await falling('expires')).toEqual(['b', 'c', 'A'])
    })

    test('tokens of users below are disabled at once and enabled again; those of others stay as they are', async () => {
      await using world = await start()
      const { aToken, set, list, root, admin, ann, ctx } = world
      const owned = await aToken(root, { name: 'of root' })
      const token = await aToken(ann, { name: 'of Ann' })
      const ids = [owned.id, token.id]
      const statusOf = async () => (await ctx.accounts.byKeyHash(sha256(token.key)))?.status
      expect(await statusOf()).toBe(tokenStatus.enabled)
      expect(await set(admin, { ids, status: tokenStatus.disabled })).toBe(1)
      expect(await statusOf()).toBe(tokenStatus.disabled)
      expect((await list()).items.map(({ status }) => status)).toEqual([tokenStatus.disabled, tokenStatus.enabled])
      expect(await set(admin, { ids, status: tokenStatus.disabled })).toBe(0)
      expect(await set(admin, { ids, status: tokenStatus.enabled })).toBe(1)
    })
  })
}
