import { beforeAll, expect, test } from 'bun:test'

import { logType, pageOf } from '@tollgate/contract'
import { sql } from 'kysely'

import { onBothDatabases } from '../../../test/databases'
import { recordQueries, wholeReads } from '../../../test/plans'
import { partitionLog } from '../../operations/retention/log-partitions'
import { eachLog } from './each-log'
import { joinCalls } from './join-calls'
import { listLogs } from './list-logs'
import { sqlLogs } from './log-store'
import type { LogFilter } from './log-filter'
import { logStat } from './log-stat'

const now = 1_800_000_000
/** PostgreSQL reads partitions. */
const logTables = String.raw`logs(?:_\d+_\d+|_rest)?`

const filters: Record<string, LogFilter> = {
  nothing: {},
  time: { from: now - 100, to: now },
  consumption: { type: logType.consumption },
  errors: { type: logType.error },
  user: { userId: 1 },
  'a user’s errors': { userId: 1, type: logType.error },
  token: { tokenName: 'main' },
  model: { modelName: 'm1' },
  'model pattern': { modelName: '%M%' },
  'model pattern of nothing': { modelName: '%x%' },
  channel: { channelId: 1 },
  group: { group: 'default' },
  call: { requestId: 'r1' },
  'error code': { type: logType.error, errorCode: 'upstream.failed' },
  'slow and dear calls': { minUseTime: 5, minQuota: 100 },
  'user, token, time': { userId: 1, tokenName: 'main', from: now - 100 },
  'user, model, group': { userId: 1, modelName: 'm%', group: 'default' },
  'channel, errors': { channelId: 1, type: logType.error },
  'no channel, no model': { without: { channelIds: [1], modelNames: ['m1'] } },
  'user, not this token': { userId: 1, without: { tokenNames: ['main'] } },
  'errors without a code': { type: logType.error, withoutErrorCodes: ['upstream.failed'] },
  'all without a code': { withoutErrorCodes: ['upstream.failed'] },
}

onBothDatabases('no query of the log reads the whole table', (world) => {
  beforeAll(async () => {
    const row = { type: logType.consumption, user_id: 1, token_name: 'main', group: 'default', channel_id: 1 }
    const rest = { username: '', token_id: 1, channel_name: '', is_stream: 0, use_time: 1, client_ip: '', content: '' }
    const sums = { prompt_tokens: 1, completion_tokens: 1, quota: 1, other: '' }
    const rows = Array.from({ length: 900 }, (_, index) => ({
      ...row,
      ...rest,
      ...sums,
      type: index % 9 === 0 ? logType.error : logType.consumption,
      request_id: `r${index}`,
      model_name: `m${index % 3}`,
      created_at: now - index,
    }))
    await partitionLog(world().database, now)
    await world().database.query.insertInto('logs').values(rows).execute()
    if (world().database.kind === 'postgres') await sql`analyze logs`.execute(world().database.query)
  })

  test.each(Object.keys(filters))('list, page and sums by %s use an index', async (name) => {
    const { query, plans } = recordQueries(world().database)
    const filter = filters[name] ?? {}
    await listLogs(query, filter, pageOf({}))
    await listLogs(query, filter, pageOf({ p: 8 }), { milliseconds: Infinity, size: 30 })
    await logStat(query, { from: now - 50, to: now, ...filter }, now)
    for (const plan of await plans()) expect(wholeReads(plan, logTables), plan.join('\n')).toBe(0)
  })

  test.each(Object.keys(filters))(
    'a window of a file by %s, which PostgreSQL estimates to be few rows, uses an index',
    async (name) => {
      const { query, plans } = recordQueries(world().database)
      const lists = eachLog(query, { to: now - 300, ...filters[name] }, 20)
      for (let window = 0; window < 3; window += 1) await lists.next()
      for (const plan of await plans()) {
        expect(wholeReads(plan, logTables), plan.join('\n')).toBe(0)
        const expected = Number(/^Sort.* rows=(\d+)/.exec(plan[0] ?? '')?.[1] ?? 0)
        expect(expected, plan.join('\n')).toBeLessThan(100)
      }
    },
  )

  test.each(Object.keys(filters))(
    'the calls of a page by %s are joined through the index of request ids',
    async (name) => {
      const { query, plans } = recordQueries(world().database)
      const filter = { ...filters[name], isJoined: true }
      await listLogs(query, filter, pageOf({ p: 2 }))
      const { items } = await listLogs(world().database.query, {}, pageOf({}))
      await joinCalls(sqlLogs({ ...world().database, query }), items)
      const all = await plans()
      for (const plan of all) {
        expect(wholeReads(plan, logTables), plan.join('\n')).toBe(0)
        // In SQLite's words. By another index it would read all newer rows of a user for each failed attempt.
        expect(plan.join('\n')).not.toMatch(/(?:later|attempt) USING INDEX logs_(?!request)/)
      }
      for (const plan of all.slice(-1)) {
        expect(plan.join('\n')).toMatch(/logs_request|request_id_idx/)
      }
    },
  )

  test('a user’s rows of one type are found by both', async () => {
    const { query, plans } = recordQueries(world().database)
    await listLogs(query, { userId: 1, type: logType.error }, pageOf({ p: 2 }))
    await listLogs(query, { userId: 1, type: logType.error, group: 'default' }, pageOf({}))
    await listLogs(query, { userId: 1, type: logType.error, isJoined: true }, pageOf({}))
    // PostgreSQL decides by statistics, which so few rows as these do not produce.
    if (world().database.kind === 'postgres') return
    for (const plan of await plans()) expect(plan.join('\n')).not.toMatch(/INDEX logs_user\b/)
  })
})
