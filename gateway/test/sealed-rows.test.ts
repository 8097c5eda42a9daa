import { expect, test } from 'bun:test'

import { role } from '@tollgate/contract'

import { handlers } from './all-handlers'
import { sealedColumns } from '../src/platform/store/sealed-columns'
import { anAccount, createTestConsole } from './console-client'
import { kinds } from './kinds'
import { createWorld } from './world'

test.each(kinds)(
  'what the console seals is bound to its row, and cannot be decrypted in another (%s)',
  async (kind) => {
    await using world = await createWorld({ kind })
    const { ctx } = world
    const console = createTestConsole(ctx, handlers)
    await ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
    const root = await console.signIn((await anAccount(ctx, { role: role.root })).id)
    const call = async (method: string, path: string, body?: unknown) => {
      const response = (await (await console.send(method, path, { as: root, body })).json()) as { success: boolean }
      expect([path, response.success]).toEqual([path, true])
      return JSON.stringify(response)
    }
    const channel = { type: 1, name: 'one', models: 'gpt-4o', group: 'default' }
    await call('POST', '/api/channel/', { ...channel, key: 'sk-one,sk-two' })
    await call('POST', '/api/channel/copy/1')
    await call('POST', '/api/channel/', { ...channel, copy_from: 1 })
    await call('PUT', '/api/channel/', { id: 2, key: 'sk-three,sk-four' })
    await call('POST', '/api/channel/multi_key/manage', { channel_id: 1, action: 'delete_key', key_index: 1 })
    await call('POST', '/api/token/', { name: 'one' })
    await call('POST', '/api/token/', { name: 'two' })
    await call('PUT', '/api/option/', { key: 'EpayKey', value: 'secret' })
    let count = 0
    for (const column of sealedColumns) {
      for (const { text, context } of await column.page(ctx.database.query, null, 100)) {
        if (text === '') continue
        count += 1
        expect([context, ctx.seal.isCurrent(text)]).toEqual([context, true])
        expect(() => ctx.seal.open(text, 'channels.key_sealed#999')).toThrow()
      }
    }
    expect(count).toBe(6)
    const keysOf = (id: number) => ctx.catalog.current.channels.get(id)?.keys.map(({ value }) => value)
    expect([keysOf(1), keysOf(2), keysOf(3)]).toEqual([['sk-one'], ['sk-three', 'sk-four'], ['sk-one', 'sk-two']])
    const { query } = ctx.database
    const [first] = await query.selectFrom('tokens').select('key_sealed').orderBy('id').execute()
    await query
      .updateTable('tokens')
      .set({ key_sealed: first?.key_sealed ?? '' })
      .where('id', '=', 2)
      .execute()
    expect(await call('GET', '/api/token/2')).toContain('"key":""')
  },
)

test.each(kinds)('each column that is named as sealed is sealed anew when the key changes (%s)', async (kind) => {
  await using world = await createWorld({ kind })
  const tables = await world.ctx.database.query.introspection.getTables()
  const named = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
  const sealed = named.filter((name) => /[._]sealed$/.test(name))
  expect(sealed).toContain('channels.key_sealed')
  const listed = new Set(sealedColumns.map(({ name }) => name))
  expect(sealed.filter((name) => !listed.has(name))).toEqual([])
})
