import { describe, expect, test } from 'bun:test'

import { role, userRoutes } from '@tollgate/contract'

import { aCall, runHandler, aUser } from '../../../test/calls'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { createWorld } from '../../../test/world'
import type { FileResult } from '../../http/response/file-response'
import { aPeriod, aWindow } from '../../../test/windows'
import { addUpHours } from '../../../test/sums'
import { userHandlers } from './users'
import { WallClock } from '../../../test/fake-time'

const hour = 3600
const day = 24 * hour
const now = 1_800_000_000

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  const start = async () => {
    const world = await createWorld({ kind, clock: new WallClock(now * 1000) })
    const { ctx } = world
    const root = await aUser(ctx, { username: 'root', role: role.root })
    const admin = await aUser(ctx, { username: 'admin', role: role.admin })
    const ann = await aUser(ctx, { username: 'ann', quota: 500 })
    const bob = await aUser(ctx, { username: 'bob', group: 'vip' })
    const callHandler = (caller: typeof ann, name: string, query: Record<string, string>) =>
      runHandler(userHandlers, name, { query }, aCall(ctx, { caller }))
    return { ctx, root, admin, ann, bob, callHandler, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
  }

  describe(`the filter of users near a limit (${kind})`, () => {
    test('finds those alone whose accounts the caller may read', async () => {
      await using world = await start()
      const { ctx, root, admin, ann, bob, callHandler } = world
      for (const [user, used] of [
        [admin, 90],
        [ann, 80],
        [bob, 79],
      ] as const) {
        const { id } = await aWindow(ctx.database, user.id, { limit_amount: 100 })
        await aPeriod(ctx.database, id, { subject_id: user.id, now, used })
      }
      const namesFor = async (caller: typeof ann) => {
        const page = await callHandler(caller, 'GET /api/user/search', { near_limit: 'true' })
        return userRoutes.searchUsers.data?.parse(page).items.map(({ username }) => username)
      }
      expect(await namesFor(root)).toEqual(['ann', 'admin'])
      const { id } = await aUser(ctx, { role: role.admin, username: 'peer' })
      expect(await namesFor({ ...admin, id })).toEqual(['ann'])
    })
  })

  describe(`the usage of users (${kind})`, () => {
    test('usage covers thirty days, from the sums and from the hours that are not in them yet', async () => {
      await using world = await start()
      const { ctx, root, admin, ann, bob, callHandler } = world
      const use = (userId: number, at: number) => ({
        hour: Math.floor(at / hour) * hour,
        user_id: userId,
        token_name: 'main',
        model_name: 'm',
        channel_id: 1,
        group: 'default',
        count: 2,
        errors: 1,
        quota: 1000,
        prompt_tokens: 30,
        completion_tokens: 4,
        use_time: 1,
      })
      const ages = [0, hour, 3 * day, 29 * day, 31 * day]
      const rows = [root, admin, ann].flatMap(({ id }) => ages.map((age) => use(id, now - age)))
      await ctx.database.query.insertInto('rollups').values(rows).execute()
      await addUpHours(ctx.database, now - 2 * hour)
      const ids = [root, admin, ann, bob].map(({ id }) => id).join('\n')
      const usageOf = (id: number) => ({ id, calls: 8, tokens: 136, quota: 4000, seen_at: 0 })
      const unused = { id: bob.id, calls: 0, tokens: 0, quota: 0, seen_at: 0 }
      const found = (await callHandler(root, 'GET /api/user/usage', { ids })) as { id: number }[]
      expect(found.sort((one, other) => one.id - other.id)).toEqual([
        usageOf(root.id),
        usageOf(admin.id),
        usageOf(ann.id),
        unused,
      ])
      // What cannot be read is not shown either.
      const seen = (await callHandler(admin, 'GET /api/user/usage', { ids })) as { id: number }[]
      expect(new Set(seen.map(({ id }) => id))).toEqual(new Set([admin.id, ann.id, bob.id]))
    })
  })

  describe(`the file of users (${kind})`, () => {
    const textOf = async (result: unknown) => new Response((result as FileResult).body).text()

    once('the file has everything that a search finds, newest first, and nothing to sign in with', async () => {
      await using world = await start()
      const { root, admin, callHandler, ctx } = world
      await ctx.database.query.updateTable('users').set({ deleted_at: now }).where('username', '=', 'bob').execute()
      const lines = (await textOf(await callHandler(root, 'GET /api/user/export', {}))).trimEnd().split('\r\n')
      expect(lines[0]).toStartWith('ID,Username,Display name,Email,Group,Role,Status,Balance (USD),Balance (quota)')
      expect(lines.slice(1).map((line) => line.split(',').slice(1, 9).join(' '))).toEqual([
        'bob bob  vip User Closed 0 0',
        'ann ann  default User Active 0.001 500',
        'admin admin  default Administrator Active 0 0',
        'root root  default Super administrator Active 0 0',
      ])
      expect(lines.join()).not.toContain('canary')
      expect(await textOf(await callHandler(admin, 'GET /api/user/export', {}))).not.toContain('root')
      expect(
        (await textOf(await callHandler(root, 'GET /api/user/export', { keyword: 'NN' }))).split('\r\n'),
      ).toHaveLength(3)
      expect(await textOf(await callHandler(root, 'GET /api/user/export', { group: 'vip' }))).toContain('bob')
    })

    once('the file of chosen users has these alone, and none out of reach', async () => {
      await using world = await start()
      const { root, admin, ann, callHandler } = world
      const ids = [ann.id, root.id].join('\n')
      const file = await textOf(await callHandler(admin, 'GET /api/user/export', { ids }))
      expect(
        file
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[1]),
      ).toEqual(['ann'])
      expect(
        (await textOf(await callHandler(admin, 'GET /api/user/export', { ids: '' }))).trimEnd().split('\r\n'),
      ).toHaveLength(1)
    })

    once('the file is written list by list, each user once', async () => {
      await using world = await start()
      const { ctx, root, callHandler } = world
      const rows = Array.from({ length: 1100 }, (_, index) => ({
        username: `u${index}`,
        username_key: `u${index}`,
        password_hash: '',
        display_name: '',
        role: role.user,
        status: 1,
        aff_code: `a${index}`,
        created_at: 1,
      }))
      for (let from = 0; from < rows.length; from += 550)
        await ctx.database.query
          .insertInto('users')
          .values(rows.slice(from, from + 550))
          .execute()
      const lines = (await textOf(await callHandler(root, 'GET /api/user/export', {}))).trimEnd().split('\r\n').slice(1)
      expect(new Set(lines.map((line) => line.split(',')[1])).size).toBe(1104)
      expect(lines).toHaveLength(1104)
    })
  })
}
