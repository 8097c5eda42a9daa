import { describe, expect, test } from 'bun:test'

import { isSecretOption, optionKeys, userRoutes } from '@tollgate/contract'

import { groupHandlers } from '../src/console-api/groups/groups'
import { logHandlers } from '../src/console-api/logs/logs'
import { modelHandlers } from '../src/console-api/models/models'
import { optionHandlers } from '../src/console-api/options/options'
import { pricingHandlers } from '../src/console-api/pricing/pricing'
import { userHandlers } from '../src/console-api/users/users'
import { aUser } from './calls'
import { createTestConsole } from './console-client'
import { eachDatabase } from './databases'
import { createWorld } from './world'

const handlers = [
  ...groupHandlers,
  ...logHandlers,
  ...modelHandlers,
  ...optionHandlers,
  ...pricingHandlers,
  ...userHandlers,
]

for (const kind of eachDatabase) {
  const start = async () => {
    const world = await createWorld({ kind })
    const { ctx } = world
    const console = createTestConsole(ctx, handlers)
    await ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
    const users = {
      root: await aUser(ctx, { username: 'root', role: 100 }),
      admin: await aUser(ctx, { username: 'admin', role: 10 }),
      ann: await aUser(ctx, { username: 'ann' }),
    }
    const call = async (as: keyof typeof users | null, method: string, path: string, body?: unknown) => {
      const session = as ? await console.signIn(users[as].id) : undefined
      const response = await console.send(method, path, { as: session, body, headers: { 'Accept-Language': 'en' } })
      return { status: response.status, text: await response.text() }
    }
    return { ctx, users, ask: call, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
  }

  describe(`administration over HTTP (${kind})`, () => {
    test('a user can be sent back as it was read, whatever its name and group are by now', async () => {
      await using world = await start()
      const { ask: call, ctx, users } = world
      const older = { username: 'a name longer than twenty@', group: 'gone', status: 2 }
      await ctx.database.query.updateTable('users').set(older).where('id', '=', users.ann.id).execute()
      const read = async () => {
        const { text } = await call('admin', 'GET', `/api/user/${users.ann.id}`)
        return userRoutes.UserEntity.parse((JSON.parse(text) as { data: unknown }).data)
      }
      const before = await read()
      const sentBack = await call('admin', 'PUT', '/api/user/', {
        ...before,
        display_name: 'Anna',
        used_quota: 7,
        status: 1,
      })
      expect([sentBack.status, sentBack.text]).toEqual([200, expect.stringContaining('"success":true')])
      expect(await read()).toEqual({ ...before, display_name: 'Anna' })
      expect((await call('admin', 'PUT', '/api/user/', { ...before, access_token: 'x' })).status).toBe(400)
    })

    test('responses match the contract and carry no secret', async () => {
      await using world = await start()
      const { ask: call, users } = world
      for (const key of optionKeys.filter(isSecretOption)) {
        const value = key.endsWith('Url') ? `https://example.com/canary-${key}` : `canary-${key}`
        const set = await call('root', 'PUT', '/api/option/', { key, value })
        expect(set.text).toContain('"success":true')
      }
      const calls: [string, string, unknown?][] = [
        ['GET', '/api/option/'],
        ['PUT', '/api/option/batch', { items: [{ key: 'RetryTimes', value: 2 }] }],
        ['GET', '/api/user/?p=0&page_size=0'],
        ['GET', '/api/user/?p=9999999999999999&page_size=100'],
        ['GET', '/api/user/search?keyword=%25&group=default'],
        ['GET', `/api/user/${users.ann.id}`],
        ['PUT', '/api/user/', { id: users.ann.id, display_name: 'Anna' }],
        ['POST', '/api/user/', { username: 'bob', password: 'canary-password' }],
        ['POST', '/api/user/manage', { id: users.ann.id, action: 'add_quota', value: 5 }],
        ['GET', '/api/group/'],
        ['GET', '/api/pricing'],
        ['GET', '/api/user/self/groups'],
        ['GET', '/api/user/groups'],
        ['GET', '/api/user/models'],
        ['GET', '/api/models'],
        ['GET', '/api/log/?type=&username=ann&model_name=gpt%25&start_timestamp=&end_timestamp=9999999999999999'],
        ['GET', '/api/log/self/?p=2'],
        ['GET', '/api/log/self?p=-1&page_size=1000000'],
        ['GET', '/api/log/stat?start_timestamp=9999999999999999'],
        ['GET', '/api/log/self/stat?type=2'],
        ['GET', '/api/log/stat?start_timestamp=-9999999999999999&end_timestamp=-9999999999999990'],
        ['GET', '/api/log/stat?start_timestamp=-9999999999999999'],
        ['DELETE', '/api/log/?target_timestamp=5'],
      ]
      for (const [method, path, body] of calls) {
        const { status, text } = await call('root', method, path, body)
        expect([path, status, text.includes('"success":true')]).toEqual([path, 200, true])
        expect(text).not.toContain('canary')
      }
    })

    test('a guest sees the prices of the offered groups, a user also those of their own', async () => {
      await using world = await start()
      const { ask: call, ctx } = world
      await call('root', 'PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":0.8,"staff":0.1}' })
      await ctx.database.query.updateTable('users').set({ group: 'staff' }).where('username', '=', 'ann').execute()
      expect(JSON.parse((await call(null, 'GET', '/api/pricing')).text)).toMatchObject({
        data: [],
        group_ratio: { default: 1, vip: 0.8 },
        usable_group: { default: 'Default group', vip: 'VIP group' },
      })
      expect(JSON.parse((await call('ann', 'GET', '/api/pricing')).text)).toMatchObject({
        group_ratio: { default: 1, vip: 0.8, staff: 0.1 },
        usable_group: { staff: 'Your group' },
      })
    })

    test('roles are enforced, input is checked, and refusals give a reason', async () => {
      await using world = await start()
      const { ask: call } = world
      const refusals: [Parameters<typeof call>[0], string, string, unknown, string][] = [
        [null, 'GET', '/api/option/', undefined, 'auth.required'],
        ['ann', 'GET', '/api/option/', undefined, 'auth.forbidden'],
        ['admin', 'PUT', '/api/option/', { key: 'Price', value: '1' }, 'option.root_only'],
        ['ann', 'GET', '/api/user/', undefined, 'auth.forbidden'],
        ['ann', 'GET', '/api/log/', undefined, 'auth.forbidden'],
        ['ann', 'GET', '/api/group/', undefined, 'auth.forbidden'],
        ['admin', 'GET', '/api/log/?username=%00', undefined, 'input.invalid'],
        ['admin', 'GET', '/api/user/search?keyword=%00', undefined, 'input.invalid'],
        ['admin', 'GET', '/api/log/?model_name=%25a%25b%25c%25d%25', undefined, 'param.invalid'],
        ['admin', 'DELETE', '/api/log/', undefined, 'log.timestamp'],
        ['root', 'PUT', '/api/user/', { id: 1, access_token: 'x' }, 'input.invalid'],
        ['root', 'PUT', '/api/option/', { key: 'RetryTimes', value: 'x' }, 'option.invalid'],
        ['root', 'PUT', '/api/option/', { key: 'oidc.enabled', value: 'true' }, 'option.prerequisite'],
      ]
      for (const [as, method, path, body, code] of refusals) {
        const { text } = await call(as, method, path, body)
        expect([path, JSON.parse(text).code, text.includes('{')]).toEqual([path, code, true])
        expect(text).not.toMatch(/\{(key|detail|feature|needed|group)\}/)
      }
    })
  })
}
