import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { ApiError, logType, pageIn, redemptionRoutes, role } from '@tollgate/contract'
import * as fc from 'fast-check'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { booksOf } from '../../../test/ledger'
import { createWorld, type World } from '../../../test/world'
import { redeemHandlers, redemptionHandlers } from './redemption-codes'
import { WallClock } from '../../../test/fake-time'

setDefaultTimeout(120_000)

const { redemptionStatus: status } = redemptionRoutes
const start = Date.parse('2026-03-01T12:00:00Z')
const seconds = Math.floor(start / 1000)

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('redemption codes (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let clock: WallClock
  beforeEach(async () => {
    clock = new WallClock(start)
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...redemptionHandlers, ...redeemHandlers])
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const anAdmin = async () => {
    const { id } = await anAccount(world.ctx, { role: role.admin })
    const client = site.client(await site.signIn(id))
    const list = () => client.call(redemptionRoutes.listRedemptions, { query: { page_size: 100 } })
    return {
      id,
      client,
      list,
      create: (body: object) => client.call(redemptionRoutes.createRedemptions, { body }),
      createError: (body: object) => outcomeOf(client.call(redemptionRoutes.createRedemptions, { body })),
      newest: async () => {
        const [code] = (await list()).items
        if (!code) throw new Error('no code')
        return code
      },
    }
  }
  const aUser = async () => {
    const { id } = await anAccount(world.ctx)
    const client = site.client(await site.signIn(id))
    return {
      id,
      client,
      redeem: (key: string) => client.call(redemptionRoutes.redeemCode, { body: { key } }),
      outcome: (key: string) => outcomeOf(client.call(redemptionRoutes.redeemCode, { body: { key } })),
      free: async () => (await booksOf(world.ctx.database, id)).free,
    }
  }

  test('codes are sorted by any figure, and the one whose whole name or id is searched for comes first', async () => {
    const admin = await anAdmin()
    await admin.create({ name: 'may', quota: 30, valid_until: seconds + 90 })
    await admin.create({ name: 'May 2', quota: 10 })
    await admin.create({ name: 'april', quota: 20, is_gift: true, max_uses: 9, valid_until: seconds + 50 })
    const [april, , may] = (await admin.list()).items
    await world.ctx.database.query
      .updateTable('redemption_codes')
      .set({ used_count: 4, redeemed_time: seconds })
      .where('id', '=', april?.id ?? 0)
      .execute()
    const sorted = async (query: { sort: redemptionRoutes.RedemptionSort; descending?: boolean }) =>
      (await admin.client.call(redemptionRoutes.listRedemptions, { query })).items.map(({ name }) => name)
    expect(await sorted({ sort: 'name' })).toEqual(['april', 'may', 'May 2'])
    expect(await sorted({ sort: 'quota', descending: true })).toEqual(['may', 'april', 'May 2'])
    expect(await sorted({ sort: 'uses', descending: true })).toEqual(['april', 'May 2', 'may'])
    expect(await sorted({ sort: 'expires' })).toEqual(['april', 'may', 'May 2'])
    expect(await sorted({ sort: 'expires', descending: true })).toEqual(['may', 'april', 'May 2'])
    expect((await sorted({ sort: 'redeemed' }))[0]).toBe('april')
    expect(await sorted({ sort: 'id' })).toEqual(['may', 'May 2', 'april'])
    const searchCodes = async (keyword: string) =>
      pageIn(await admin.client.call(redemptionRoutes.searchRedemptions, { query: { keyword, p: 0 } })).items
    expect((await searchCodes('MAY')).map(({ name }) => name)).toEqual(['may', 'May 2'])
    await admin.create({ name: `x${may?.id}`, quota: 1 })
    expect((await searchCodes(String(may?.id)))[0]?.name).toBe('may')
  })

  once('a code is redeemed once, credits its quota and leaves a row in the log', async () => {
    const admin = await anAdmin()
    const [key = ''] = await admin.create({ name: 'spring', quota: 500, count: 1 })
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    const [ann, bob] = [await aUser(), await aUser()]
    expect(await ann.redeem(` ${key} `)).toEqual({ quota: 500, is_gift: false, ends_at: 0, plan: '' })
    expect(await ann.outcome(key)).toBe('redemption.used')
    expect(await bob.outcome(key)).toBe('redemption.used')
    expect(await booksOf(world.ctx.database, ann.id)).toMatchObject({ free: 500, credited: 500 })
    expect(await bob.free()).toBe(0)
    expect(await admin.newest()).toMatchObject({ status: status.used, used_user_id: ann.id, redeemed_time: seconds })
    const rows = world.ctx.database.query.selectFrom('logs').select(['type', 'user_id', 'content'])
    const row = await eventually(() => rows.executeTakeFirst())
    expect(row).toMatchObject({ type: logType.topUp, user_id: ann.id })
    expect(row.content).toContain('log.redeemed')
  })

  test('a gift code is redeemed once by each user, as often as allowed', async () => {
    const admin = await anAdmin()
    const [key = ''] = await admin.create({ name: 'gift', quota: 7, key: 'WELCOME-7', is_gift: true, max_uses: 2 })
    const [ann, bob, carl] = [await aUser(), await aUser(), await aUser()]
    expect(await ann.redeem(key)).toEqual({ quota: 7, is_gift: true, ends_at: 0, plan: '' })
    expect(await ann.outcome(key)).toBe('redemption.gift_used')
    expect(await bob.outcome(key)).toBe('ok')
    expect(await carl.outcome(key)).toBe('redemption.gift_spent')
    const { id, used_count, status: shown } = await admin.newest()
    expect({ used_count, shown }).toEqual({ used_count: 2, shown: status.used })
    const uses = await admin.client.call(redemptionRoutes.listRedemptionUses, { params: { id } })
    expect(new Set(uses.items.map(({ user_id }) => user_id))).toEqual(new Set([ann.id, bob.id]))
  })

  test('a hundred parallel redemptions of a code with ten uses credit ten times', async () => {
    const admin = await anAdmin()
    const [key = ''] = await admin.create({ name: 'gift', quota: 7, is_gift: true, max_uses: 10 })
    const users = await Promise.all(Array.from({ length: 25 }, () => aUser()))
    const outcomes = await Promise.all(users.flatMap((user) => Array.from({ length: 4 }, () => user.outcome(key))))
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(10)
    const balances = await Promise.all(users.map((user) => user.free()))
    expect(balances.filter((free) => free === 7)).toHaveLength(10)
    expect(balances.filter((free) => free !== 7 && free !== 0)).toEqual([])
    expect(await admin.newest()).toMatchObject({ used_count: 10, status: status.used })
  })

  once('a code is redeemed from its start to its end, and while it is neither disabled nor deleted', async () => {
    const admin = await anAdmin()
    const [key = ''] = await admin.create({ name: 'window', valid_from: seconds + 10, valid_until: seconds + 20 })
    const user = await aUser()
    expect(await user.outcome(key)).toBe('redemption.early')
    clock.jump(21_000)
    expect(await user.outcome(key)).toBe('redemption.expired')
    clock.moveTo(start + 10_000)
    const { id } = await admin.newest()
    const set = (newStatus: number) =>
      admin.client.call(redemptionRoutes.updateRedemption, {
        query: { status_only: true },
        body: { id, status: newStatus },
      })
    expect((await set(status.disabled)).status).toBe(status.disabled)
    expect(await user.outcome(key)).toBe('redemption.invalid')
    expect((await set(status.unused)).status).toBe(status.unused)
    await admin.client.call(redemptionRoutes.deleteRedemption, { params: { id } })
    expect(await user.outcome(key)).toBe('redemption.invalid')
    expect(await user.outcome('no such code')).toBe('redemption.invalid')
    expect(await user.outcome('')).toBe('redemption.empty')
    expect(await user.free()).toBe(0)
  })

  test('a status that would bring a used code back is refused', async () => {
    const admin = await anAdmin()
    const [key = ''] = await admin.create({ name: 'once' })
    const { id } = await admin.newest()
    const set = (newStatus: number) =>
      outcomeOf(
        admin.client.call(redemptionRoutes.updateRedemption, {
          query: { status_only: true },
          body: { id, status: newStatus },
        }),
      )
    expect(await set(status.used)).toBe('redemption.status')
    await (await aUser()).redeem(key)
    expect(await set(status.unused)).toBe('redemption.status')
    const disable = admin.client.call(redemptionRoutes.disableRedemptions, { body: { ids: [id] } })
    expect(await disable).toBe(0)
    const edit = admin.client.call(redemptionRoutes.updateRedemption, { body: { id, quota: 5 } })
    expect(await outcomeOf(edit)).toBe('redemption.edit_used')
  })

  test.each([
    [{ name: '' }, 'redemption.name'],
    [{ name: '一二三四五六七八九十一二三四五六七八九十一' }, 'redemption.name'],
    [{ name: '一二三四五六七八九十一二三四五六七八九十' }, 'ok'],
    [{ quota: 0 }, 'redemption.quota'],
    [{ quota: -1 }, 'redemption.quota'],
    [{ quota: 1e15 + 1 }, 'redemption.quota'],
    [{ quota: '7' }, 'ok'],
    [{ count: 0 }, 'redemption.count_none'],
    [{ count: 101 }, 'redemption.count_many'],
    [{ count: '100' }, 'ok'],
    [{ valid_from: 20, valid_until: 20 }, 'redemption.time'],
    [{ valid_from: 20, valid_until: 0 }, 'ok'],
    [{ key: 'abc' }, 'redemption.key'],
    [{ key: 'two words' }, 'redemption.key'],
    [{ is_gift: true, max_uses: -2 }, 'redemption.max_uses'],
    [{ is_gift: true, max_uses: null }, 'ok'],
    [{ quota_days: 0 }, 'ok'],
    [{ quota_days: 3650 }, 'ok'],
    [{ quota_days: 3651 }, 'redemption.days'],
    [{ quota_days: -1 }, 'redemption.days'],
    [{ quota_days: 1.5 }, 'input.invalid'],
  ])('creating with %p ends as %s', async (fields, outcome) => {
    const admin = await anAdmin()
    expect(await admin.createError({ name: 'n', ...fields })).toBe(outcome)
  })

  test('a code that exists or existed is refused, and one invalid code of a call creates none', async () => {
    const admin = await anAdmin()
    await admin.create({ name: 'first', key: 'SAME-KEY' })
    expect(await admin.createError({ name: 'second', key: 'SAME-KEY' })).toBe('redemption.exists')
    const { id } = await admin.newest()
    await admin.client.call(redemptionRoutes.deleteRedemption, { params: { id } })
    expect(await admin.createError({ name: 'third', key: 'SAME-KEY' })).toBe('redemption.exists')
    expect((await admin.list()).total).toBe(0)
  })

  test('an edit changes what it names, and a row can be sent back as it was read', async () => {
    const admin = await anAdmin()
    await admin.create({ name: 'old', quota: 5, valid_until: seconds + 9 })
    const code = await admin.newest()
    const edited = await admin.client.call(redemptionRoutes.updateRedemption, { body: { ...code, name: 'new' } })
    expect(edited).toEqual({ ...code, name: 'new' })
    expect(edited).toMatchObject({ kind: 'quota', quota_days: 0 })
    const expiring = await admin.client.call(redemptionRoutes.updateRedemption, {
      body: { id: code.id, quota_days: 30 },
    })
    expect(expiring).toEqual({ ...edited, kind: 'expiring', quota_days: 30 })
    const renamed = await admin.client.call(redemptionRoutes.updateRedemption, { body: { id: code.id, name: 'may' } })
    expect(renamed).toEqual({ ...expiring, name: 'may' })
  })

  once('codes are found by id and name, counted and deleted by their whole name', async () => {
    const admin = await anAdmin()
    await admin.create({ name: 'spring', count: 3 })
    await admin.create({ name: 'spring 2', count: 2 })
    const { id } = await admin.newest()
    const search = async (keyword: string) =>
      (await admin.client.call(redemptionRoutes.searchRedemptions, { query: { keyword, p: 0 } })) as { total: number }
    expect((await search('spring')).total).toBe(5)
    expect((await search(String(id))).total).toBeGreaterThanOrEqual(1)
    expect((await search('100%')).total).toBe(0)
    const named = { query: { name: ' spring ' } }
    expect(await admin.client.call(redemptionRoutes.countRedemptionsByName, named)).toBe(3)
    expect(await admin.client.call(redemptionRoutes.deleteRedemptionsByName, named)).toBe(3)
    const nameless = admin.client.call(redemptionRoutes.deleteRedemptionsByName, { query: { name: ' ' } })
    expect(await outcomeOf(nameless)).toBe('redemption.name_empty')
    await admin.client.call(redemptionRoutes.disableRedemptions, { body: { ids: [id] } })
    expect(await admin.client.call(redemptionRoutes.deleteDisabledRedemptions)).toBe(1)
    expect((await admin.list()).total).toBe(1)
  })

  once('codes are shown to callers who may change them, which the audit log records', async () => {
    const admin = await anAdmin()
    const [key = ''] = await admin.create({ name: 'shown' })
    expect((await admin.newest()).key).toBe(key)
    const reader = await anAccount(world.ctx, { role: role.admin })
    await world.ctx.database.query
      .updateTable('users')
      .set({ grants: 'codes.read' })
      .where('id', '=', reader.id)
      .execute()
    const client = site.client(await site.signIn(reader.id))
    const [masked] = (await client.call(redemptionRoutes.listRedemptions)).items
    expect(masked?.key).toBe(`${key.slice(0, 4)}…${key.slice(-4)}`)
    const acts = world.ctx.database.query.selectFrom('audit_log').select(['action', 'user_id', 'after'])
    const rows = await acts.execute()
    expect(rows.filter(({ action }) => action === 'code.read').map(({ user_id }) => user_id)).toEqual([admin.id])
    expect(JSON.stringify(rows)).not.toContain(key)
    const stored = await world.ctx.database.query.selectFrom('redemption_codes').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(key)
  })

  once('the audit log has which codes were changed, disabled, deleted and redeemed, and by whom', async () => {
    const admin = await anAdmin()
    const user = await aUser()
    const [key = ''] = await admin.create({ name: 'told', quota: 500 })
    await admin.create({ name: 'bulk', quota: 7, count: 3 })
    const list = (await admin.client.call(redemptionRoutes.listRedemptions, { query: { page_size: 100 } })).items
    const idOf = (name: string) => list.filter((code) => code.name === name).map(({ id }) => id)
    const [redeemedId = 0] = idOf('told')
    expect(await user.outcome(key)).not.toBe('redemption.invalid')
    await admin.client.call(redemptionRoutes.disableRedemptions, { body: { ids: idOf('bulk') } })
    await admin.client.call(redemptionRoutes.deleteRedemption, { params: { id: redeemedId } })
    await admin.client.call(redemptionRoutes.deleteRedemptionsByName, { query: { name: 'bulk' } })
    const rows = await world.ctx.database.query.selectFrom('audit_log').selectAll().orderBy('id').execute()
    const acts = rows
      .filter(({ action, user_id: id }) => action !== 'code.read' && [admin.id, user.id].includes(id))
      .map((row) => [row.user_id, row.action, row.target_id, row.target_name, row.after && JSON.parse(row.after)])
    expect(acts).toEqual([
      [admin.id, 'code.create', '', 'told', { name: 'told', quota: 500, count: 1 }],
      [admin.id, 'code.create', '', 'bulk', { name: 'bulk', quota: 7, count: 3 }],
      [user.id, 'self.redeem', String(redeemedId), 'told', { quota: 500 }],
      [admin.id, 'code.disable_several', idOf('bulk').join(','), '', { disabled: 3 }],
      [admin.id, 'code.delete', String(redeemedId), 'told', ''],
      [admin.id, 'code.delete_by_name', '', 'bulk', { deleted: 3 }],
    ])
    const deleted = rows.find(({ action }) => action === 'code.delete')
    expect(JSON.parse(deleted?.before ?? '')).toMatchObject({ name: 'told', quota: 500 })
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test('balances equal the uses of the codes, whatever is created and redeemed', async () => {
    const admin = await anAdmin()
    const users = await Promise.all([aUser(), aUser(), aUser()])
    const code = fc.record({ quota: fc.integer({ min: 1, max: 1e6 }), max_uses: fc.constantFrom(null, 1, 2, 3) })
    const act = fc.record({ user: fc.nat(2), code: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(fc.array(code, { minLength: 4, maxLength: 4 }), fc.array(act), async (codes, acts) => {
        const keys = await Promise.all(
          codes.map(async (terms, at) => (await admin.create({ name: `c${at}`, ...terms, is_gift: at > 1 }))[0] ?? ''),
        )
        await Promise.all(acts.map(async ({ user, code: at }) => users[user]?.outcome(keys[at] ?? '')))
        for (const user of users) {
          const uses = await world.ctx.database.query
            .selectFrom('redemption_uses')
            .select((eb) => eb.fn.sum<number | null>('quota').as('sum'))
            .where('user_id', '=', user.id)
            .executeTakeFirstOrThrow()
          expect(await user.free()).toBe(uses.sum ?? 0)
        }
        const overused = await world.ctx.database.query
          .selectFrom('redemption_codes')
          .select('id')
          .where('max_uses', '>', 0)
          .whereRef('used_count', '>', 'max_uses')
          .execute()
        expect(overused).toEqual([])
      }),
      { numRuns: 8 },
    )
  })
})
