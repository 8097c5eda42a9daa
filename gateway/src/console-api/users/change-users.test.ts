import { describe, expect, test } from 'bun:test'

import { parsePhrase, role, userRoutes, userStatus } from '@tollgate/contract'

import { aCall, runHandler, aUser, refusalOf } from '../../../test/calls'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { eventually } from '../../../test/eventually'
import { createWorld } from '../../../test/world'
import { userHandlers } from './users'

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  const start = async () => {
    const world = await createWorld({ kind })
    const { ctx } = world
    await ctx.database.query
      .insertInto('options')
      .values({ key: 'GroupRatio', value: '{"default":1,"vip":1}' })
      .execute()
    await ctx.catalog.rebuild()
    const root = await aUser(ctx, { username: 'root', role: role.root })
    const admin = await aUser(ctx, { username: 'admin', role: role.admin })
    const ann = await aUser(ctx, { username: 'ann', quota: 500 })
    const bob = await aUser(ctx, { username: 'bob' })
    const call = aCall(ctx, { caller: admin })
    const change = async (body: object) => {
      const whole = { operation_id: 'operation-1', reason: 'an outage', ...body }
      const data = await runHandler(userHandlers, 'POST /api/user/bulk', { body: whole }, call)
      return userRoutes.changeUsers.data?.parse(data).map(({ id, outcome }) => [id, outcome])
    }
    const balances = async () => {
      const found = await ctx.ledger.balanceOf([ann.id, bob.id])
      return [found.get(ann.id), found.get(bob.id)]
    }
    return {
      ctx,
      root,
      admin,
      ann,
      bob,
      call,
      change,
      balances,
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    }
  }

  describe(`a change of many users (${kind})`, () => {
    test('a bulk operation credits each user once, however often it is repeated, also simultaneously', async () => {
      await using world = await start()
      const { ann, bob, change, balances } = world
      const ids = [ann.id, bob.id, ann.id]
      const attempts = await Promise.all([1, 2, 3].map(() => change({ ids, quota: 70 })))
      expect(attempts.flat().filter((result) => result?.[1] === 'changed')).toHaveLength(2)
      expect(await change({ ids: [bob.id], quota: 70 })).toEqual([[bob.id, 'repeated']])
      expect(await balances()).toEqual([570, 70])
      expect(await change({ ids, quota: -600, operation_id: 'operation-2' })).toEqual([
        [ann.id, 'changed'],
        [bob.id, 'changed'],
      ])
      expect(await balances()).toEqual([-30, -530])
    })

    once('a bulk operation is in the log of each user with the reason, and in the credits', async () => {
      await using world = await start()
      const { ctx, ann, bob, change } = world
      await change({ ids: [ann.id, bob.id], quota: 70 })
      await change({ ids: [ann.id, bob.id], quota: 70 })
      const rows = await eventually(async () => {
        const found = await ctx.database.query
          .selectFrom('logs')
          .select(['user_id', 'content'])
          .orderBy('user_id')
          .execute()
        return found.length >= 2 ? found : null
      })
      expect(rows.map(({ user_id: id, content }) => [id, parsePhrase(content)?.params?.['reason']])).toEqual([
        [ann.id, 'an outage'],
        [bob.id, 'an outage'],
      ])
      const credits = await ctx.database.query
        .selectFrom('credits')
        .select(['amount', 'detail'])
        .where('id', 'like', 'bulk:%')
        .execute()
      expect(credits).toEqual([
        { amount: 70, detail: 'an outage' },
        { amount: 70, detail: 'an outage' },
      ])
    })

    once('a bulk operation bans users, ends their sessions, and enables them again', async () => {
      await using world = await start()
      const { ctx, root, ann, bob, change } = world
      const session = { created_at: 1, last_seen_at: 1, expires_at: 9e9, ip: '', user_agent: '' }
      await ctx.database.query
        .insertInto('sessions')
        .values({ ...session, id_hash: 's', user_id: ann.id })
        .execute()
      const ids = [ann.id, bob.id, root.id]
      expect(await change({ ids, status: userStatus.disabled })).toEqual([
        [ann.id, 'changed'],
        [bob.id, 'changed'],
        [root.id, 'refused'],
      ])
      expect(await change({ ids: [ann.id], status: userStatus.disabled })).toEqual([[ann.id, 'unchanged']])
      const statuses = async () => {
        const found = await ctx.database.query
          .selectFrom('users')
          .select('status')
          .where('id', 'in', ids)
          .orderBy('id')
          .execute()
        return found.map(({ status }) => status)
      }
      expect(await statuses()).toEqual([userStatus.enabled, userStatus.disabled, userStatus.disabled])
      expect(await ctx.database.query.selectFrom('sessions').selectAll().execute()).toEqual([])
      await change({ ids: [ann.id], status: userStatus.enabled })
      expect(await statuses()).toEqual([userStatus.enabled, userStatus.enabled, userStatus.disabled])
      expect(await refusalOf(change({ ids: [ann.id] }))).toBe('user.bulk_empty')
    })

    once('a bulk operation moves users to a group, and leaves those who are in it', async () => {
      await using world = await start()
      const { ctx, ann, bob, change } = world
      expect(await change({ ids: [ann.id], group: 'vip' })).toEqual([[ann.id, 'changed']])
      expect(await change({ ids: [ann.id, bob.id], group: 'vip' })).toEqual([
        [ann.id, 'unchanged'],
        [bob.id, 'changed'],
      ])
      const groups = await ctx.database.query
        .selectFrom('users')
        .select('group')
        .where('id', 'in', [ann.id, bob.id])
        .execute()
      expect(groups.map(({ group }) => group)).toEqual(['vip', 'vip'])
    })

    once(
      'a bulk operation skips users out of the caller’s reach and closed accounts, and changes the others',
      async () => {
        await using world = await start()
        const { ctx, root, admin, ann, bob, change, balances } = world
        await ctx.database.query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', ann.id).execute()
        const ids = [root.id, admin.id, ann.id, 999_999, bob.id]
        expect(await change({ ids, quota: 70 })).toEqual([
          [root.id, 'refused'],
          [admin.id, 'refused'],
          [ann.id, 'refused'],
          [999_999, 'refused'],
          [bob.id, 'changed'],
        ])
        expect(await balances()).toEqual([500, 70])
      },
    )

    once('an invalid bulk operation is refused before anything happens', async () => {
      await using world = await start()
      const { ann, change, balances } = world
      const ids = [ann.id]
      expect(await refusalOf(change({ ids }))).toBe('user.bulk_empty')
      expect(await refusalOf(change({ ids, quota: 70, group: 'nowhere' }))).toBe('user.group')
      expect(await refusalOf(change({ ids, group: 'vip', quota: -1e15 - 1 }))).toBe('user.quota')
      expect(await balances()).toEqual([500, 0])
      expect(
        userRoutes.changeUsers.body?.safeParse({ ids, quota: 1, operation_id: 'operation-1', reason: ' ' }).success,
      ).toBe(false)
    })
  })
}
