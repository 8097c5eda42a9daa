import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { logRoutes, logType, type Page } from '@tollgate/contract'
import * as fc from 'fast-check'
import { sql } from 'kysely'

import { freshClickHouse, onClickHouse, type TestClickHouse } from '../../../../test/clickhouse'
import { freshDatabase, type TestDatabase } from '../../../../test/databases'
import { FakeTime } from '../../../../test/fake-time'
import { kinds, onceOf } from '../../../../test/kinds'
import { aLogRow } from '../../../../test/rows'
import { systemRandom } from '../../../platform/random'
import type { Queries } from '../../../platform/store/database'
import type { LogRow } from '../../../platform/store/tables'
import type { LogFilter } from '../log-filter'
import { logStat } from '../log-stat'
import { sqlLogs, type LogStore } from '../log-store'
import { callSeconds, joinCalls } from '../join-calls'
import { ClickHouseLogs } from './clickhouse-logs'
import { LogShipping } from './ship-logs'

setDefaultTimeout(120_000)

const start = 1_800_000_000
const signal = new AbortController().signal
const unlimited = { milliseconds: Infinity }

const moment = fc.oneof(
  fc.integer({ min: start, max: start + 20 }),
  fc.integer({ min: start, max: start + 90 * 86_400 }),
)
const anyRow = fc.record({
  created_at: moment,
  type: fc.constantFrom(
    logType.consumption,
    logType.consumption,
    logType.error,
    logType.error,
    logType.topUp,
    logType.system,
  ),
  user_id: fc.integer({ min: 1, max: 3 }),
  token_name: fc.constantFrom('a', 'b', `O'Brien \\ "x" {p1:String}`),
  model_name: fc.constantFrom('gpt-4o', 'GPT-4o-mini', 'claude_1', ''),
  channel_id: fc.integer({ min: 0, max: 2 }),
  group: fc.constantFrom('default', 'vip'),
  request_id: fc.constantFrom('', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6'),
  use_time: fc.integer({ min: 0, max: 5 }),
  quota: fc.integer({ min: 0, max: 4 }),
  prompt_tokens: fc.integer({ min: 0, max: 4 }),
  other: fc.constantFrom(
    '',
    '{"error_code":"upstream.failed"}',
    '{"use_time_ms":1234}',
    '{"use_time_ms":99,"a":"日本 \\n"}',
  ),
})

/** Rows of a call are written within some time of each other. */
const aRow = anyRow.map((row) => {
  const time = Math.floor((row.created_at - start) / callSeconds)
  return row.request_id === '' || time === 0 ? row : { ...row, request_id: `${row.request_id}-${time}` }
})

const option = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

const aFilter: fc.Arbitrary<LogFilter> = fc.record({
  type: option(fc.constantFrom(logType.consumption, logType.error, logType.topUp)),
  userId: option(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(null))),
  tokenName: option(fc.constantFrom('a', `O'Brien \\ "x" {p1:String}`)),
  modelName: option(fc.constantFrom('gpt-4o', 'gpt%', '%MINI', 'claude_1', '%_%', 'unknown')),
  channelId: option(fc.integer({ min: 1, max: 2 })),
  group: option(fc.constantFrom('vip', 'none')),
  requestId: option(fc.constantFrom('r1', 'r9')),
  errorCode: option(fc.constant('upstream.failed')),
  minUseTime: option(fc.integer({ min: 1, max: 4 })),
  minQuota: option(fc.integer({ min: 1, max: 4 })),
  without: option(fc.constantFrom({ userIds: [1] }, { tokenNames: ['a'], modelNames: ['gpt-4o'] })),
  withoutErrorCodes: option(fc.constant(['upstream.failed'])),
  from: option(moment),
  to: option(moment),
  isJoined: fc.boolean(),
})

const aPage: fc.Arbitrary<Page> = fc
  .record({ page: fc.integer({ min: 1, max: 6 }), size: fc.integer({ min: 1, max: 9 }) })
  .map(({ page, size }) => ({ page, size, offset: (page - 1) * size }))

/** Rows are known by their content, as ids differ between two databases. */
const plain = (row: LogRow) => ({ ...row, id: 0 })

async function readAll(logs: LogStore, filter: LogFilter, page: Page, query: Queries) {
  const list = await logs.list(filter, page, unlimited)
  const sorted = await Promise.all(
    logRoutes.logSorts.flatMap((sort) =>
      [true, false].map(async (isDescending) => {
        const { items, ...rest } = await logs.sort(filter, page, { sort, isDescending }, unlimited)
        return { items: items.map(plain), ...rest }
      }),
    ),
  )
  const each: unknown[] = []
  for await (const rows of logs.each({ ...filter, isJoined: false })) each.push(...rows.map(plain))
  return {
    list: { ...list, items: list.items.map(plain) },
    joined: (await joinCalls(logs, list.items)).map(({ row, attempts }) => [plain(row), ...attempts.map(plain)]),
    sorted,
    events: (await logs.channelEvents(1, start, 3)).map(({ content }) => content),
    sum: await logs.sum(filter),
    stat: await logStat(query, filter, start + 91 * 86_400, Infinity, logs),
    each,
    calls: (await logs.callsOf(['r1', 'r3'])).map(plain),
  }
}

onClickHouse('the log in ClickHouse and what is still to be shipped', () => {
  describe.each(kinds)('with %s', (kind) => {
    let site: TestDatabase
    let whole: TestDatabase
    let stored: TestClickHouse
    beforeAll(async () => {
      ;[site, whole] = await Promise.all([freshDatabase(kind), freshDatabase(kind)])
      stored = freshClickHouse()
    })
    afterAll(async () => {
      await stored[Symbol.asyncDispose]()
      await Promise.all([site.drop(), whole.drop()])
    })

    test('gives the answers of a log that is in the database as a whole', async () => {
      const aStep = fc.record({ rows: fc.array(aRow, { maxLength: 25 }), shipped: fc.constantFrom(0, 3, 7, 1000) })
      await fc.assert(
        fc.asyncProperty(
          fc.array(aStep, { minLength: 1, maxLength: 3 }),
          fc.array(fc.tuple(aFilter, aPage), { minLength: 4, maxLength: 4 }),
          async (steps, questions) => {
            for (const { query } of [site.database, whole.database]) {
              await query.deleteFrom('logs').execute()
              await query.deleteFrom('site_notes').execute()
            }
            await stored.clickHouse.createDatabase()
            await stored.clickHouse.command('drop table if exists logs')
            const time = new FakeTime(start * 1000)
            const deps = { clock: time, random: systemRandom, database: site.database, clickHouse: stored.clickHouse }
            const shipping = new LogShipping(deps)
            for (const [step, { rows, shipped }] of steps.entries()) {
              // Ids are not in the order of commits.
              const all = rows.map((row, index) => {
                const id = index * steps.length + step + 1
                return { ...aLogRow({ ...row, content: String(id) }), id }
              })
              for (const { query } of all.length > 0 ? [site.database, whole.database] : [])
                await query.insertInto('logs').values(all).execute()
              if (shipped > 0) await shipping.run(signal, 0, shipped)
            }
            const logs = new ClickHouseLogs(site.database, stored.clickHouse)
            const reference = sqlLogs(whole.database)
            for (const [filter, page] of questions)
              expect(await readAll(logs, filter, page, site.database.query)).toEqual(
                await readAll(reference, filter, page, whole.database.query),
              )
          },
        ),
        { numRuns: kind === 'sqlite' ? 3 : 1, endOnFailure: true },
      )
    })

    onceOf(kind)('gives them of more rows than are counted, and of pages far back', async () => {
      for (const { query } of [site.database, whole.database]) {
        await query.deleteFrom('logs').execute()
        await query.deleteFrom('site_notes').execute()
        // Two failed attempts before each twentieth call.
        await sql`insert into logs (id, request_id, created_at, type)
          with recursive n (i) as (select 1 union all select i + 1 from n where i < 11500)
          select i, 'r' || (case when i % 20 in (1, 2) then i / 20 * 20 + 3 else i end), ${start} + i / 3,
            case when i % 20 in (1, 2) then ${logType.error} else ${logType.consumption} end from n`.execute(query)
      }
      await stored.clickHouse.command('drop table if exists logs')
      const deps = { clock: new FakeTime(start * 1000), random: systemRandom, database: site.database }
      await new LogShipping({ ...deps, clickHouse: stored.clickHouse }).run(signal, 0, 20_000)
      const logs = new ClickHouseLogs(site.database, stored.clickHouse)
      const reference = sqlLogs(whole.database)
      for (const page of [1, 30].map((number) => ({ page: number, size: 100, offset: number * 100 - 100 })))
        expect(await logs.list({ isJoined: true }, page, unlimited)).toEqual(
          await reference.list({ isJoined: true }, page, unlimited),
        )
    })
  })
})
