import { describe, expect, test } from 'bun:test'

import { pageIn, tokenRoutes, tokenStatus, type RouteInput } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { anAccount, createTestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { spend } from '../../../test/spend'
import { createWorld } from '../../../test/world'
import { tokenHandlers } from './tokens'

const now = 1_700_000_000

async function start(kind: (typeof kinds)[number]) {
  const world = await createWorld({ kind, clock: createClock(() => now * 1000) })
  const { ctx } = world
  await ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  const console = createTestConsole(ctx, tokenHandlers)
  const { id: userId } = await anAccount(ctx, { username: 'ann', quota: 1_000_000 })
  const ann = console.client(await console.signIn(userId))
  const createToken = (fields: object) => ann.call(tokenRoutes.createToken, { body: { name: 'key', ...fields } })
  const backup = await createToken({ name: 'Backup', remain_quota: 300, group: 'vip' })
  const tokens = {
    backup,
    shop: await createToken({ name: 'shop', unlimited_quota: true }),
    empty: await createToken({ name: 'app', remain_quota: 0 }),
    old: await createToken({ name: 'app', remain_quota: 100, expired_time: now + 1 }),
  }
  await ctx.database.query.updateTable('tokens').set({ expired_time: now }).where('id', '=', tokens.old.id).execute()
  await ctx.database.query.updateTable('tokens').set({ accessed_time: 5 }).where('id', '=', tokens.shop.id).execute()
  await spend(ctx, { userId, tokenId: backup.id, isTokenLimited: true }, 40)
  const list = async (query: RouteInput<typeof tokenRoutes.listTokens>['query']) =>
    (await ann.call(tokenRoutes.listTokens, { query: { p: 0, ...query } })).items.map(({ name }) => name)
  const search = async (query: RouteInput<typeof tokenRoutes.searchTokens>['query']) =>
    pageIn(await ann.call(tokenRoutes.searchTokens, { query: { p: 0, ...query } })).items.map(({ name }) => name)
  return { ann, tokens, list, search, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

describe.each(kinds)('a list of tokens (%s)', (kind) => {
  const once = onceOf(kind)

  once('the list is filtered by the current status of tokens', async () => {
    await using world = await start(kind)
    const { list } = world
    expect(await list({ status: tokenStatus.enabled })).toEqual(['shop', 'Backup'])
    expect(await list({ status: tokenStatus.expired })).toEqual(['app'])
    expect(await list({ status: tokenStatus.exhausted })).toEqual(['app'])
    expect(await list({ status: tokenStatus.disabled })).toEqual([])
    expect(await list({ status: 0, sort: 'name' })).toHaveLength(4)
  })

  once('the list is filtered by the group a token calls in, the owner’s where it has none', async () => {
    await using world = await start(kind)
    expect(await world.list({ group: 'vip' })).toEqual(['Backup'])
    expect(await world.list({ group: 'default' })).toEqual(['app', 'app', 'shop'])
  })

  once('the list is searched by part of the name or key through one field', async () => {
    await using world = await start(kind)
    const { search, tokens } = world
    expect(await search({ either: 'BACK' })).toEqual(['Backup'])
    expect(await search({ either: `sk-${tokens.shop.key.slice(0, 30)}` })).toEqual(['shop'])
    expect(await search({ either: 'app', status: tokenStatus.expired })).toEqual(['app'])
    expect(await search({ either: 'app', keyword: 'shop' })).toEqual([])
    expect(await search({ either: 'no such token' })).toEqual([])
  })

  test.each([
    ['name', ['app', 'app', 'Backup', 'shop'], ['shop', 'Backup', 'app', 'app']],
    ['used', ['app', 'app', 'shop', 'Backup'], ['Backup', 'shop', 'app', 'app']],
    ['spent', ['app', 'app', 'shop', 'Backup'], ['Backup', 'app', 'app', 'shop']],
    ['left', ['app', 'app', 'Backup', 'shop'], ['shop', 'Backup', 'app', 'app']],
    ['expires', ['app', 'app', 'shop', 'Backup'], ['app', 'shop', 'Backup', 'app']],
  ] as const)('the list is sorted by %s, equal ones newest first', async (sort, rising, falling) => {
    await using world = await start(kind)
    expect(await world.list({ sort })).toEqual([...rising])
    expect(await world.list({ sort, descending: true })).toEqual([...falling])
  })

  once('the list has the total of all that was found on each page', async () => {
    await using world = await start(kind)
    const page = (p: number) =>
      world.ann.call(tokenRoutes.listTokens, { query: { p, size: 2, group: 'default', sort: 'name' } })
    expect(await page(0)).toMatchObject({ items: [{ name: 'app' }, { name: 'app' }], total: 3 })
    expect(await page(1)).toMatchObject({ items: [{ name: 'shop' }], total: 3 })
  })
})
