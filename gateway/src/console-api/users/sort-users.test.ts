import { describe, expect, test } from 'bun:test'

import { role, userRoutes } from '@tollgate/contract'

import { aCall, runHandler, aUser } from '../../../test/calls'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { WallClock } from '../../../test/fake-time'
import { createWorld } from '../../../test/world'
import { userHandlers } from './users'

const hour = 3600
const day = 24 * hour
const now = 1_800_000_000

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  async function start() {
    const world = await createWorld({ kind, clock: new WallClock(now * 1000) })
    const { ctx } = world
    const { query } = ctx.database
    const root = await aUser(ctx, { username: 'root', role: role.root, quota: 7 })
    const admin = await aUser(ctx, { username: 'admin', role: role.admin, quota: 20 })
    const ann = await aUser(ctx, { username: 'ann', quota: 500 })
    const bob = await aUser(ctx, { username: 'Bob', quota: 90, group: 'vip' })
    const eve = await aUser(ctx, { username: 'eve', quota: -3 })
    const set = (id: number, columns: Readonly<Record<string, number | null>>) =>
      query.updateTable('users').set(columns).where('id', '=', id).execute()
    await set(ann.id, { used_quota: 10, request_count: 3, aff_count: 0, created_at: 300 })
    await set(bob.id, { used_quota: 30, request_count: 1, aff_count: 2, created_at: 100, status: 2 })
    await set(eve.id, { used_quota: 20, request_count: 2, aff_count: 1, created_at: 200, deleted_at: now })
    type User = typeof ann
    const names = async (caller: User, userQuery: Readonly<Record<string, string>>) => {
      const found = await runHandler(userHandlers, 'GET /api/user/search', { query: userQuery }, aCall(ctx, { caller }))
      return userRoutes.searchUsers.data?.parse(found).items.map(({ username }) => username)
    }
    const sorted = (sort: string, caller = root) => names(caller, { sort, descending: 'true' })
    return { ...world, root, admin, ann, bob, eve, names, sorted }
  }

  describe(`the order of users (${kind})`, () => {
    test('users are sorted by any figure; equal ones are in descending order of id', async () => {
      await using world = await start()
      const { sorted, names, root } = world
      expect(await sorted('balance')).toEqual(['ann', 'Bob', 'admin', 'root', 'eve'])
      expect(await sorted('used')).toEqual(['Bob', 'eve', 'ann', 'admin', 'root'])
      expect(await sorted('requests')).toEqual(['ann', 'eve', 'Bob', 'admin', 'root'])
      expect(await sorted('invited')).toEqual(['Bob', 'eve', 'ann', 'admin', 'root'])
      expect(await names(root, { sort: 'name' })).toEqual(['admin', 'ann', 'Bob', 'eve', 'root'])
      expect(await names(root, { sort: 'id' })).toEqual(['root', 'admin', 'ann', 'Bob', 'eve'])
      expect(await sorted('created')).toEqual(['ann', 'eve', 'Bob', 'admin', 'root'])
      expect(await names(root, { sort: 'used', descending: 'true', p: '2', page_size: '2' })).toEqual(['ann', 'admin'])
    })

    test('a balance is sorted with what workers have leased of it', async () => {
      await using world = await start()
      const lease = {
        id: 'l',
        worker_id: 'w',
        kind: 'user' as const,
        ref_id: world.bob.id,
        amount: 900,
        created_at: now,
      }
      await world.ctx.database.query.insertInto('leases').values(lease).execute()
      expect((await world.sorted('balance'))?.[0]).toBe('Bob')
    })

    test('users are sorted by what they spent in thirty days, also on later pages', async () => {
      await using world = await start()
      const { ctx, ann, bob, eve, sorted, names, root } = world
      const spend = (userId: number, age: number, quota: number) => ({
        hour: Math.floor((now - age) / hour) * hour,
        user_id: userId,
        token_name: 'main',
        model_name: 'm',
        channel_id: 1,
        group: 'default',
        count: 1,
        errors: 0,
        quota,
        prompt_tokens: 1,
        completion_tokens: 1,
        use_time: 1,
      })
      await ctx.database.query
        .insertInto('rollups')
        .values([
          spend(ann.id, 40 * day, 9000),
          spend(ann.id, day, 10),
          spend(bob.id, 0, 30),
          spend(eve.id, 2 * day, 20),
        ])
        .execute()
      expect(await sorted('month')).toEqual(['Bob', 'eve', 'ann', 'admin', 'root'])
      expect(await names(root, { sort: 'month', p: '2', page_size: '2', descending: 'true' })).toEqual(['ann', 'admin'])
    })

    test('users are sorted by their last visit or call', async () => {
      await using world = await start()
      const { ctx, ann, bob, sorted } = world
      const { query } = ctx.database
      const session = { created_at: 1, expires_at: now + day, ip: '', user_agent: '' }
      await query
        .insertInto('sessions')
        .values({ ...session, id_hash: 's', user_id: ann.id, last_seen_at: 500 })
        .execute()
      await query
        .insertInto('tokens')
        .values({ user_id: bob.id, key_hash: 'k', key_sealed: '', name: 'k', created_time: 1, accessed_time: 700 })
        .execute()
      expect((await sorted('seen'))?.slice(0, 2)).toEqual(['Bob', 'ann'])
    })

    test('the position of users whose accounts are hidden tells nothing about them', async () => {
      await using world = await start()
      expect(await world.sorted('balance', world.admin)).toEqual(['ann', 'Bob', 'admin', 'eve', 'root'])
      expect(await world.sorted('month', world.admin)).toEqual(['eve', 'Bob', 'ann', 'admin', 'root'])
    })
  })

  describe(`searches of users (${kind})`, () => {
    once('the user whose whole name or id is searched for comes first', async () => {
      await using world = await start()
      const { ctx, names, root, ann } = world
      for (const username of ['user2', 'user20', 'user21', `x${ann.id}x`]) await aUser(ctx, { username })
      expect(await names(root, { keyword: 'USER2' })).toEqual(['user2', 'user21', 'user20'])
      expect((await names(root, { keyword: String(ann.id) }))?.[0]).toBe('ann')
      expect(await names(root, { keyword: 'user2', p: '2', page_size: '1' })).toEqual(['user21'])
    })

    once('users are found by their ids by everyone who may see their names', async () => {
      await using world = await start()
      const { ctx, names, root, admin, ann, bob } = world
      const writer = await aUser(ctx, { username: 'writer', grants: ['messages.read', 'messages.write'] })
      const ids = [ann.id, root.id].join('\n')
      for (const caller of [root, admin, writer]) expect(await names(caller, { ids })).toEqual(['ann', 'root'])
      expect(await names(root, { ids: String(bob.id), keyword: 'ann' })).toEqual([])
      expect(await names(root, { ids: '' })).toEqual([])
    })

    once('users are filtered by status and role', async () => {
      await using world = await start()
      const { names, root, admin } = world
      expect(await names(root, { status: 'enabled' })).toEqual(['ann', 'admin', 'root'])
      expect(await names(root, { status: 'disabled' })).toEqual(['Bob'])
      expect(await names(root, { status: 'closed' })).toEqual(['eve'])
      expect(await names(root, { role: String(role.admin) })).toEqual(['admin'])
      expect(await names(root, { role: '1', status: 'disabled', group: 'vip', keyword: 'bo' })).toEqual(['Bob'])
      // What is hidden cannot be filtered by either.
      expect(await names(admin, { role: String(role.root) })).toEqual([])
      expect(await names(admin, { status: 'enabled' })).toEqual(['ann', 'admin'])
    })
  })
}
