import { describe, expect, test } from 'bun:test'

import { role, viewAsHeader } from '@tollgate/contract'

import { aUser } from '../../test/calls'
import { createTestConsole } from '../../test/console-client'
import { eachDatabase } from '../../test/databases'
import { onceOf } from '../../test/kinds'
import { aLogRow } from '../../test/rows'
import { createWorld } from '../../test/world'
import { groupHandlers } from '../console-api/groups/groups'
import { logHandlers } from '../console-api/logs/logs'
import { pricingHandlers } from '../console-api/pricing/pricing'
import { userHandlers } from '../console-api/users/users'

const handlers = [...groupHandlers, ...logHandlers, ...pricingHandlers, ...userHandlers]

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  const start = async () => {
    const world = await createWorld({ kind })
    const { ctx } = world
    await ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
    const site = createTestConsole(ctx, handlers)
    const root = await aUser(ctx, { username: 'root', role: role.root })
    const admin = await aUser(ctx, { username: 'admin', role: role.admin })
    const peer = await aUser(ctx, { username: 'peer', role: role.admin })
    const ann = await aUser(ctx, { username: 'ann', group: 'vip' })
    const bob = await aUser(ctx, { username: 'bob' })
    const other = JSON.stringify({ input_content: 'what was said', admin_info: { use_channel: ['1'] } })
    const rows = [ann, bob].map(({ id, username }) => aLogRow({ user_id: id, username, request_id: username, other }))
    await ctx.database.query.insertInto('logs').values(rows).execute()
    const send = async (caller: { id: number }, method: string, path: string, viewed: number) => {
      const as = await site.signIn(caller.id)
      const response = await site.send(method, path, { as, headers: { [viewAsHeader]: String(viewed) } })
      return { status: response.status, text: await response.text() }
    }
    const readAuditLog = () =>
      ctx.database.query
        .selectFrom('audit_log')
        .select(['user_id', 'action', 'target', 'target_id', 'outcome'])
        .where('outcome', '=', 'ok')
        .execute()
    return {
      ctx,
      root,
      admin,
      peer,
      ann,
      bob,
      send,
      readAuditLog,
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    }
  }

  describe(`viewing the console as another user (${kind})`, () => {
    test('a view shows that user’s log and prices without conversations, and leaves a row in the audit log', async () => {
      await using world = await start()
      const { ctx, admin, ann, send, readAuditLog } = world
      const list = await send(admin, 'GET', '/api/log/self/', ann.id)
      expect(list.text).toContain('"request_id":"ann"')
      expect(list.text).not.toContain('"request_id":"bob"')
      const { id } = await ctx.database.query
        .selectFrom('logs')
        .select('id')
        .where('user_id', '=', ann.id)
        .executeTakeFirstOrThrow()
      const row = await send(admin, 'GET', `/api/log/self/${id}`, ann.id)
      expect(row.text).toContain('"request_id":"ann"')
      expect(list.text + row.text).not.toMatch(/what was said|use_channel/)
      expect((await send(admin, 'GET', '/api/pricing', ann.id)).text).toContain('"vip"')
      await send(admin, 'GET', '/api/log/self/', ann.id)
      const viewRow = {
        user_id: admin.id,
        action: 'user.view_as',
        target: 'user',
        target_id: String(ann.id),
        outcome: 'ok',
      }
      expect(await readAuditLog()).toEqual([viewRow, viewRow, viewRow])
    })

    once('a view is of users of a lower rank only, by those who may read users and logs', async () => {
      await using world = await start()
      const { root, admin, peer, ann, bob, send } = world
      expect((await send(admin, 'GET', '/api/log/self/', peer.id)).text).toContain('"auth.forbidden"')
      expect((await send(admin, 'GET', '/api/log/self/', root.id)).text).toContain('"auth.forbidden"')
      expect((await send(ann, 'GET', '/api/log/self/', bob.id)).text).toContain('"auth.forbidden"')
      expect((await send(root, 'GET', '/api/log/self/', 999_999)).text).toContain('"user.none"')
      expect((await send(root, 'GET', '/api/log/self/', peer.id)).text).toContain('"success":true')
    })

    once('a view allows nothing but reading', async () => {
      await using world = await start()
      const { root, ann, send } = world
      for (const [method, path] of [
        ['GET', '/api/user/'],
        ['GET', '/api/log/'],
        ['DELETE', `/api/user/${ann.id}`],
      ] as const)
        expect((await send(root, method, path, ann.id)).text).toContain('"auth.forbidden"')
    })
  })
}
