import { beforeEach, describe, expect, test } from 'bun:test'

import { logRoutes, logType, pageOf, role } from '@tollgate/contract'

import { anAccount, createTestConsole } from '../../../test/console-client'
import { onBothDatabases } from '../../../test/databases'
import { kinds, onceOf } from '../../../test/kinds'
import { aLogRow } from '../../../test/rows'
import { createWorld } from '../../../test/world'
import type { LogRow } from '../../platform/store/tables'
import { joinCalls } from '../../billing/usage-log/join-calls'
import { listLogs } from '../../billing/usage-log/list-logs'
import { sqlLogs } from '../../billing/usage-log/log-store'
import type { LogFilter } from '../../billing/usage-log/log-filter'
import { logHandlers } from './logs'
import { logStat } from '../../billing/usage-log/log-stat'

const now = 1_800_000_000

const aFailedRow = (fields: Partial<LogRow>) => aLogRow({ created_at: now, type: logType.error, quota: 0, ...fields })
const aChargedRow = (fields: Partial<LogRow>) => aLogRow({ created_at: now, ...fields })

onBothDatabases('calls of the log', (world, once) => {
  const query = () => world().database.query

  beforeEach(() => query().deleteFrom('logs').execute())

  const fill = (...rows: Omit<LogRow, 'id'>[]) => query().insertInto('logs').values(rows).execute()

  /** Returns each row with its attempts, by their contents. */
  async function listJoined(filter: LogFilter = {}, page = pageOf({})) {
    const { items } = await listLogs(query(), { ...filter, isJoined: true }, page)
    const rows = await joinCalls(sqlLogs(world().database), items)
    return rows.map(({ row, attempts }) => [row.content, ...attempts.map(({ content }) => content)])
  }

  once('a charged call has its failed attempts, oldest first', async () => {
    await fill(
      aFailedRow({ request_id: 'a', content: 'first' }),
      aFailedRow({ request_id: 'a', content: 'second', created_at: now + 1 }),
      aChargedRow({ request_id: 'a', content: 'served', created_at: now + 2 }),
      aChargedRow({ request_id: 'b', content: 'other', created_at: now - 1 }),
    )
    expect(await listJoined()).toEqual([['served', 'first', 'second'], ['other']])
  })

  once('a call whose attempts all failed is shown as its last attempt', async () => {
    await fill(aFailedRow({ request_id: 'a', content: 'first' }), aFailedRow({ request_id: 'a', content: 'last' }))
    expect(await listJoined()).toEqual([['last', 'first']])
  })

  test('a call is on one page only', async () => {
    await fill(
      aFailedRow({ request_id: 'a', content: 'first' }),
      aChargedRow({ request_id: 'a', content: 'served', created_at: now + 1 }),
      aChargedRow({ request_id: 'b', content: 'older', created_at: now - 1 }),
    )
    const pages = await Promise.all([1, 2, 3].map((p) => listJoined({}, pageOf({ p, page_size: 1 }))))
    expect(pages).toEqual([[['served', 'first']], [['older']], []])
  })

  test('a page holds as many calls as requested, and the total counts calls, whatever finds them', async () => {
    const calls = Array.from({ length: 9 }, (_, index) => {
      const fields = { request_id: `r${index}`, created_at: now - 9 * index }
      return [
        aFailedRow({ ...fields, created_at: now - 9 * index - 1, content: `first ${index}` }),
        aFailedRow({ ...fields, content: `second ${index}` }),
        index % 2 === 0
          ? aChargedRow({ ...fields, content: `end ${index}` })
          : aFailedRow({ ...fields, content: `end ${index}` }),
      ]
    })
    await fill(...calls.flat())
    const filters: readonly LogFilter[] = [
      {},
      { userId: 1 },
      { channelId: 1 },
      { tokenName: 'main' },
      { userId: 1, group: 'default' },
      { minQuota: 0 },
      { from: now - 80, to: now },
    ]
    for (const filter of filters) {
      const list = (p: number) => listLogs(query(), { ...filter, isJoined: true }, pageOf({ p, page_size: 4 }))
      const pages = await Promise.all([list(1), list(2), list(3)])
      expect([filter, pages.flatMap(({ items }) => items.map(({ content }) => content))]).toEqual([
        filter,
        Array.from({ length: 9 }, (_, index) => `end ${index}`),
      ])
      expect([filter, pages.map(({ total, items }) => [total, items.length])]).toEqual([
        filter,
        [
          [9, 4],
          [9, 4],
          [9, 1],
        ],
      ])
    }
    const failures = await listLogs(query(), { type: logType.error, isJoined: true }, pageOf({}))
    expect(failures.total).toBe(9)
    expect(failures.items.map(({ content }) => content).slice(0, 2)).toEqual(['second 0', 'end 1'])
    const narrow = await listLogs(query(), { isJoined: true }, pageOf({}), { milliseconds: Infinity, size: 2 })
    expect([narrow.total, narrow.items.length]).toEqual([9, 9])
  })

  once('an attempt stays where the row that ended its call is not within the filter', async () => {
    await fill(
      aFailedRow({ request_id: 'a', content: 'first', channel_id: 7 }),
      aChargedRow({ request_id: 'a', content: 'served', channel_id: 8 }),
    )
    expect(await listJoined({ type: logType.error })).toEqual([['first']])
    expect(await listJoined({ channelId: 7 })).toEqual([['first']])
    expect(await listJoined({ type: logType.consumption })).toEqual([['served', 'first']])
  })

  once('rows that are not calls or have no request id are separate', async () => {
    await fill(
      aFailedRow({ request_id: '', content: 'one' }),
      aFailedRow({ request_id: '', content: 'two' }),
      aChargedRow({ request_id: 'a', content: 'charged' }),
      aChargedRow({ request_id: 'a', content: 'top-up', type: logType.topUp }),
    )
    expect((await listJoined()).flat().toSorted()).toEqual(['charged', 'one', 'top-up', 'two'])
  })

  once('calls are found by error code, duration and cost', async () => {
    await fill(
      aFailedRow({ content: 'refused', other: '{"error_code":"upstream.failed"}' }),
      aFailedRow({ content: 'other', other: '{"error_code":"upstream_failed"}' }),
      aChargedRow({ content: 'slow', use_time: 30, quota: 1 }),
      aChargedRow({ content: 'dear', use_time: 1, quota: 5000 }),
    )
    const contentsOf = async (filter: LogFilter) =>
      (await listLogs(query(), filter, pageOf({}))).items.map(({ content }) => content)
    expect(await contentsOf({ type: logType.error, errorCode: 'upstream.failed' })).toEqual(['refused'])
    expect(await contentsOf({ minUseTime: 30 })).toEqual(['slow'])
    expect(await contentsOf({ minQuota: 5000 })).toEqual(['dear'])
    expect((await logStat(query(), { minUseTime: 30 }, now)).quota).toBe(1)
    expect((await logStat(query(), { minQuota: 5000 }, now)).quota).toBe(5000)
  })

  once('rows from the future are not summed', async () => {
    await fill(aChargedRow({ quota: 3 }), aChargedRow({ quota: 40, created_at: now + 1 }))
    expect((await logStat(query(), { from: now - 10, to: now + 3600 }, now)).quota).toBe(3)
  })
})

describe.each(kinds)('the list of calls (%s)', (kind) => {
  const once = onceOf(kind)

  once('the list joins attempts on request, and hides their internals from users', async () => {
    await using world = await createWorld({ kind })
    const site = createTestConsole(world.ctx, logHandlers)
    const admin = await site.signIn((await anAccount(world.ctx, { role: role.admin })).id)
    const ann = await site.signIn((await anAccount(world.ctx)).id)
    const other = '{"error_code":"upstream.failed","admin_info":{"use_channel":["1"]}}'
    await world.ctx.database.query
      .insertInto('logs')
      .values([aFailedRow({ user_id: ann.userId, other }), aChargedRow({ user_id: ann.userId })])
      .execute()
    const query = { joined: 'true' } as const
    const all = await site.client(admin).call(logRoutes.listLogs, { query })
    expect(all.items.map(({ attempts }) => attempts?.map((attempt) => attempt.other))).toEqual([[other]])
    const own = await site.client(ann).call(logRoutes.listOwnLogs, { query })
    expect(own.items.map(({ attempts }) => attempts?.map((attempt) => attempt.other))).toEqual([
      ['{"error_code":"upstream.failed"}'],
    ])
    const rows = await site.client(admin).call(logRoutes.listLogs, { query: {} })
    expect(rows.items.map(({ type, attempts }) => [type, attempts])).toEqual([
      [logType.consumption, undefined],
      [logType.error, undefined],
    ])
  })
})
