import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { ApiError, logRoutes, logType, role } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { eachLog } from '../../billing/usage-log/each-log'
import type { LogFilter } from '../../billing/usage-log/log-filter'
import { logHandlers } from './logs'

const start = Date.UTC(2024, 5, 12, 10, 20) / 1000

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('deleting rows of the log (%s)', (kind) => {
  test('only past times can be deleted, and the last days only by the super admin', async () => {
    await using world = await createWorld({
      kind,
      clock: createClock(
        () => start * 1000,
        () => 0,
      ),
    })
    const site = createTestConsole(world.ctx, logHandlers)
    const signedIn = async (as: number) => site.signIn((await anAccount(world.ctx, { role: as })).id)
    const admin = await signedIn(role.admin)
    const root = await signedIn(role.root)
    const codeOf = (as: SignedIn, target_timestamp: number) =>
      failureOf(site.client(as).call(logRoutes.deleteLogs, { query: { target_timestamp } }))
    const day = 24 * 3600
    expect(await codeOf(admin, start - 7 * day + 1)).toBe('log.recent')
    expect(await codeOf(admin, start - 7 * day)).toBe('success')
    expect(await codeOf(root, start)).toBe('success')
    expect(await codeOf(root, start + 1)).toBe('log.timestamp_future')
    expect(await codeOf(admin, start + 1)).toBe('log.timestamp_future')
  })

  test('deletion requires a grant, removes no row of money or administration, and is always recorded', async () => {
    await using world = await createWorld({
      kind,
      clock: createClock(
        () => start * 1000,
        () => 0,
      ),
    })
    const { query } = world.ctx.database
    const site = createTestConsole(world.ctx, logHandlers)
    const someone = async (as: number, grants: string | null) => {
      const { id } = await anAccount(world.ctx, { role: as })
      await query.updateTable('users').set({ grants }).where('id', '=', id).execute()
      return site.signIn(id)
    }
    const old = start - 30 * 24 * 3600
    const row = { request_id: 'r', created_at: old, user_id: 1, username: 'ann', token_id: 1, token_name: '' }
    const rest = { model_name: '', channel_id: 0, channel_name: '', group: '', is_stream: 0, use_time: 0, content: '' }
    const counts = { prompt_tokens: 0, completion_tokens: 0, quota: 0, client_ip: '', other: '' }
    const types = Object.values(logType).filter((type) => type > 0)
    await query
      .insertInto('logs')
      .values(types.map((type) => ({ ...row, ...rest, ...counts, type, request_id: `r${type}` })))
      .execute()
    const erase = async (as: SignedIn) =>
      failureOf(site.client(as).call(logRoutes.deleteLogs, { query: { target_timestamp: start - 8 * 24 * 3600 } }))
    const limited = await someone(role.admin, 'logs.read')
    const helper = await someone(role.user, 'logs.read')
    const ann = await someone(role.user, null)
    for (const as of [limited, helper, ann]) expect(await erase(as)).toBe('auth.forbidden')
    const admin = await someone(role.admin, null)
    expect(await erase(admin)).toBe('success')
    const left = await query.selectFrom('logs').select('type').orderBy('type').execute()
    const erased: readonly number[] = [logType.consumption, logType.error]
    expect(left.map(({ type }) => type)).toEqual(
      types.filter((type) => !erased.includes(type)).toSorted((one, other) => one - other),
    )
    const acts = await query
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'log.delete')
      .orderBy('id')
      .execute()
    expect(acts.map(({ user_id: id, outcome, after }) => [id, outcome, after && JSON.parse(after)])).toEqual([
      [limited.userId, 'auth.forbidden', ''],
      [helper.userId, 'auth.forbidden', ''],
      [ann.userId, 'auth.forbidden', ''],
      [admin.userId, 'ok', { target_timestamp: start - 8 * 24 * 3600, deleted: 2 }],
    ])
  })
})

describe.each(kinds)('rows of the log (%s)', (kind) => {
  let world: World
  let site: TestConsole
  let admin: SignedIn
  let ann: SignedIn

  beforeAll(async () => {
    world = await createWorld({
      kind,
      clock: createClock(
        () => start * 1000,
        () => 0,
      ),
    })
    site = createTestConsole(world.ctx, logHandlers)
    admin = await site.signIn((await anAccount(world.ctx, { username: 'boss', role: role.admin })).id)
    ann = await site.signIn((await anAccount(world.ctx, { username: 'ann' })).id)
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.ctx.database.query.deleteFrom('logs').execute())

  const aRow = (fields: Partial<Record<string, string | number>> = {}) => ({
    request_id: 'r',
    created_at: start,
    type: logType.consumption,
    user_id: ann.userId,
    username: 'ann',
    token_id: 1,
    token_name: 'main',
    model_name: 'gpt-4o',
    group: 'default',
    channel_id: 7,
    channel_name: 'hidden-channel',
    is_stream: 1,
    use_time: 2,
    prompt_tokens: 10,
    completion_tokens: 5,
    quota: 100,
    content: '',
    client_ip: '192.0.2.7',
    other: '{"frt":12,"admin_info":{"use_channel":["7"]}}',
    ...fields,
  })
  const insert = async (rows: ReturnType<typeof aRow>[]) =>
    (await world.ctx.database.query.insertInto('logs').values(rows).returning('id').execute()).map(({ id }) => id)

  describe('one row', () => {
    test('administrators see the whole row, its user does not see the channel', async () => {
      const [id = 0] = await insert([aRow()])
      const whole = await site.client(admin).call(logRoutes.getLog, { params: { id } })
      expect(whole).toMatchObject({ id, channel: 7, channel_name: 'hidden-channel' })
      const own = await site.client(ann).call(logRoutes.getOwnLog, { params: { id } })
      expect(own).toMatchObject({ id, request_id: 'r', other: '{"frt":12}' })
      expect(JSON.stringify(own)).not.toContain('channel')
    })

    test('a row has its call’s conversation, also when an earlier release wrote it', async () => {
      await world.ctx.database.query
        .insertInto('log_texts')
        .values({ request_id: 'said', created_at: start, context: 'be brief', input: 'well?', output: 'well.' })
        .execute()
      const earlier = '{"frt":3,"output_content":"before"}'
      const [id = 0, old = 0, failed = 0] = await insert([
        aRow({ request_id: 'said' }),
        aRow({ request_id: 'earlier', other: earlier }),
        aRow({ request_id: 'said', type: logType.error, other: '{}' }),
      ])
      const otherOf = async (row: number) => {
        const { other } = await site.client(ann).call(logRoutes.getOwnLog, { params: { id: row } })
        return JSON.parse(other) as unknown
      }
      const texts = { context: 'be brief', input_content: 'well?', output_content: 'well.' }
      expect(await otherOf(id)).toEqual({ frt: 12, ...texts })
      expect(await otherOf(old)).toEqual({ frt: 3, output_content: 'before' })
      expect(await otherOf(failed)).toEqual({})
      const whole = await site.client(admin).call(logRoutes.getLog, { params: { id } })
      expect(JSON.parse(whole.other)).toEqual({ frt: 12, admin_info: { use_channel: ['7'] }, ...texts })
    })

    test('an administrator does not see conversations of equals and superiors', async () => {
      const { id: rootId } = await anAccount(world.ctx, { role: role.root })
      const root = await site.signIn(rootId)
      const peer = await anAccount(world.ctx, { role: role.admin })
      const texts = { context: '', input: 'a secret prompt', output: 'a secret answer' }
      await world.ctx.database.query
        .insertInto('log_texts')
        .values({ request_id: 'theirs', created_at: start, ...texts })
        .execute()
      const earlier = '{"input_content":"a secret prompt"}'
      const [ofPeer = 0, ofRoot = 0, ofAdmin = 0, old = 0] = await insert([
        aRow({ request_id: 'theirs', user_id: peer.id }),
        aRow({ request_id: 'theirs', user_id: rootId }),
        aRow({ request_id: 'theirs', user_id: admin.userId }),
        aRow({ request_id: 'old', user_id: rootId, other: earlier }),
      ])
      const textOf = async (as: SignedIn, id: number) =>
        (await site.client(as).call(logRoutes.getLog, { params: { id } })).other
      for (const id of [ofPeer, ofRoot, old]) expect(await textOf(admin, id)).not.toContain('secret')
      expect(await textOf(admin, ofAdmin)).toContain('a secret prompt')
      for (const id of [ofPeer, ofRoot, ofAdmin, old]) expect(await textOf(root, id)).toContain('a secret prompt')
      const list = await site.client(admin).call(logRoutes.listLogs)
      expect(JSON.stringify(list)).not.toContain('secret')
    })

    test('a row of another user is not found', async () => {
      const [id = 0] = await insert([aRow({ user_id: admin.userId })])
      expect(await failureOf(site.client(ann).call(logRoutes.getOwnLog, { params: { id } }))).toBe('log.none')
      expect(await failureOf(site.client(ann).call(logRoutes.getLog, { params: { id } }))).toBe('auth.forbidden')
      expect(await failureOf(site.client(admin).call(logRoutes.getLog, { params: { id: id + 1 } }))).toBe('log.none')
      expect(await failureOf(site.client(admin).call(logRoutes.getLog, { params: { id: 'x' } }))).toBe('input.invalid')
    })
  })

  test('the rows of one call are found by its id, in lists, sums and files', async () => {
    await insert([
      aRow({ request_id: 'wanted', quota: 1 }),
      aRow({ request_id: 'wanted', type: logType.error, quota: 0 }),
      aRow({ request_id: 'other', quota: 10, created_at: start - 5 }),
    ])
    const query = { request_id: ' wanted ' }
    expect((await site.client(admin).call(logRoutes.listLogs, { query })).total).toBe(2)
    expect((await site.client(ann).call(logRoutes.listOwnLogs, { query })).items).toHaveLength(2)
    expect((await site.client(admin).call(logRoutes.logStat, { query })).quota).toBe(1)
    const file = await (await site.client(admin).download(logRoutes.exportLogs, { query })).text()
    expect(file.match(/wanted/g)).toHaveLength(2)
    expect(file).not.toContain('other,')
  })

  describe('the file', () => {
    test('the file has a name, a heading in the language of the caller and each row in readable form', async () => {
      const [id] = await insert([aRow({ token_name: '=cmd()', content: 'a "b", c' })])
      const response = await site.client(ann).download(logRoutes.exportOwnLogs)
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="logs-20240612-102000.csv"')
      expect(response.headers.get('cache-control')).toBe('no-store')
      const bytes = await response.bytes()
      expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]))
      const [heading, row, end] = new TextDecoder().decode(bytes).split('\r\n')
      expect(heading).toStartWith('Time (UTC),Unix time,ID,Request ID,Type,')
      expect(row).toBe(
        `2024-06-12T10:20:00Z,${start},${id},r,Consumption,${ann.userId},ann,1,'=cmd(),gpt-4o,default,true,2,10,5,0.0002,100,` +
          '192.0.2.7,"a ""b"", c","{""frt"":12}"',
      )
      expect(end).toBe('')
      const chinese = await site.send('GET', '/api/log/self/export', { as: ann })
      expect(await chinese.text()).toStartWith('时间 (UTC),Unix 时间戳,')
    })

    test('the file of a user contains nothing about channels or other users', async () => {
      await insert([aRow(), aRow({ user_id: admin.userId, username: 'boss' })])
      const own = await (await site.client(ann).download(logRoutes.exportOwnLogs)).text()
      expect(own).not.toMatch(/channel|admin_info|boss/i)
      const all = await (await site.client(admin).download(logRoutes.exportLogs)).text()
      expect(all).toContain(',7,hidden-channel')
      expect(all).toContain('boss')
    })

    test('the file requires the grant for the list, and fails with a sentence', async () => {
      expect(await failureOf(site.client(ann).download(logRoutes.exportLogs))).toBe('auth.forbidden')
      expect(await failureOf(site.client().download(logRoutes.exportOwnLogs))).toBe('auth.required')
      const query = { model_name: '%a%b%c%d%' }
      expect(await failureOf(site.client(admin).download(logRoutes.exportLogs, { query }))).toBe('param.invalid')
    })

    test('the file for administrators has what the vendor charges for a call, and that for its user has not', async () => {
      const other = JSON.stringify({ admin_info: { cost: 4711 } })
      await insert([aRow({ request_id: 'with', other }), aRow({ request_id: 'without' })])
      const lines = (await (await site.client(admin).download(logRoutes.exportLogs)).text()).trimEnd().split('\r\n')
      expect(lines[0]).toEndWith(',Cost at the vendor (quota)')
      expect(lines.find((line) => line.includes(',with,'))).toEndWith(',4711')
      expect(lines.find((line) => line.includes(',without,'))).toEndWith(',')
      expect(await (await site.client(ann).download(logRoutes.exportOwnLogs)).text()).not.toContain('4711')
    })

    test('administrators without the right to costs read rows without them, one by one, in the list and in the file', async () => {
      const cost = { cost: 4711, cost_saved: 4712, cost_kind: 'own', cost_prices: { input: 4713 } }
      const [id = 0] = await insert([aRow({ other: JSON.stringify({ admin_info: { use_channel: ['7'], ...cost } }) })])
      const { id: userId } = await anAccount(world.ctx, { role: role.admin })
      await world.ctx.database.query
        .updateTable('users')
        .set({ grants: 'logs.read' })
        .where('id', '=', userId)
        .execute()
      const reader = site.client(await site.signIn(userId))
      const row = await reader.call(logRoutes.getLog, { params: { id } })
      expect(JSON.parse(row.other)).toEqual({ admin_info: { use_channel: ['7'] } })
      const shown = [
        JSON.stringify(await reader.call(logRoutes.listLogs)),
        await (await reader.download(logRoutes.exportLogs)).text(),
      ]
      for (const text of shown) expect(text).not.toContain('471')
      expect((await site.client(admin).call(logRoutes.getLog, { params: { id } })).other).toContain('4711')
    })

    test('the file without rows is a heading', async () => {
      const text = await (await site.client(admin).download(logRoutes.exportLogs)).text()
      expect(text.split('\r\n')).toHaveLength(2)
    })

    test('the file of many rows has each once, also those written while it is read', async () => {
      const rows = Array.from({ length: 2500 }, (_, index) =>
        aRow({ request_id: `r${index}`, created_at: start - (index >> 4) }),
      )
      for (let from = 0; from < rows.length; from += 500) await insert(rows.slice(from, from + 500))
      const response = await site.client(admin).download(logRoutes.exportLogs)
      await insert([aRow({ request_id: 'late', created_at: start + 1 })])
      const lines = (await response.text()).trimEnd().split('\r\n').slice(1)
      const ids = lines.map((line) => line.split(',')[3])
      expect(ids).toHaveLength(2500)
      expect(new Set(ids).size).toBe(2500)
    })
  })

  test('windows of any size and every filter return the rows of one query, in its order', async () => {
    const rows = Array.from({ length: 60 }, (_, index) =>
      aRow({
        request_id: `r${index % 7}`,
        created_at: start - (index % 11),
        type: index % 3 === 0 ? logType.error : logType.consumption,
        user_id: 1 + (index % 2),
        channel_id: 1 + (index % 3),
        model_name: `model-${index % 4}`,
        group: index === 41 ? 'rare' : 'default',
      }),
    )
    await insert(rows)
    const stored = await world.ctx.database.query
      .selectFrom('logs')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const filters: [LogFilter, (row: (typeof stored)[number]) => boolean][] = [
      [{}, () => true],
      [{ group: 'rare' }, (row) => row.group === 'rare'],
      [{ userId: 1, channelId: 2 }, (row) => row.user_id === 1 && row.channel_id === 2],
      [{ userId: null }, () => false],
      [{ channelId: 3, type: logType.error }, (row) => row.channel_id === 3 && row.type === logType.error],
      [{ modelName: 'model-1', from: start - 6 }, (row) => row.model_name === 'model-1' && row.created_at >= start - 6],
      [{ modelName: 'MODEL-%', to: start - 4 }, (row) => row.created_at <= start - 4],
      [{ requestId: 'r3' }, (row) => row.request_id === 'r3'],
    ]
    for (const [filter, isExpected] of filters) {
      for (const size of [1, 7, 60, 1000]) {
        const found = await Array.fromAsync(eachLog(world.ctx.database.query, filter, size))
        expect(found.every((list) => list.length <= size)).toBe(true)
        expect(found.flat()).toEqual(stored.filter(isExpected))
      }
    }
  })
})
