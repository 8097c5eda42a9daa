import { expect, test } from 'bun:test'

import { logType, pageOf, type logRoutes } from '@tollgate/contract'
import * as fc from 'fast-check'

import { onBothDatabases } from '../../../test/databases'
import { aLogRow } from '../../../test/rows'
import type { LogRow } from '../../platform/store/tables'
import { modelNames } from '../../platform/store/model-names'
import { listLogs, type SearchBudget } from './list-logs'
import type { LogFilter } from './log-filter'
import { logStat } from './log-stat'

const hour = 3600
const start = 500_000 * hour

const isLike = (name: string, pattern: string) =>
  new RegExp(`^${pattern.toLowerCase().replaceAll('%', '.*')}$`, 's').test(name.toLowerCase())

/** The reference for a filter, evaluated row by row. */
const isMatch = (row: LogRow, filter: LogFilter) =>
  (filter.type === undefined || row.type === filter.type) &&
  (filter.userId === undefined || row.user_id === filter.userId) &&
  (filter.tokenName === undefined || row.token_name === filter.tokenName) &&
  (filter.modelName === undefined ||
    (filter.modelName.includes('%')
      ? isLike(row.model_name, filter.modelName)
      : row.model_name === filter.modelName)) &&
  (filter.channelId === undefined || row.channel_id === filter.channelId) &&
  (filter.group === undefined || row.group === filter.group) &&
  (filter.requestId === undefined || row.request_id === filter.requestId) &&
  !filter.without?.userIds?.includes(row.user_id) &&
  !filter.without?.tokenNames?.includes(row.token_name) &&
  !filter.without?.modelNames?.includes(row.model_name) &&
  !filter.without?.channelIds?.includes(row.channel_id) &&
  !filter.without?.groups?.includes(row.group) &&
  row.created_at >= (filter.from ?? 0) &&
  row.created_at <= (filter.to ?? Infinity)

const moment = fc.integer({ min: start, max: start + 40 })
/** Most of the conditions are absent, so that something is found. */
const option = <T>(value: fc.Arbitrary<T>, weight = 2) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight, arbitrary: value })

const aRow = fc.record({
  created_at: moment,
  type: fc.constantFrom(logType.consumption, logType.consumption, logType.error, logType.topUp),
  user_id: fc.integer({ min: 1, max: 3 }),
  token_name: fc.constantFrom('a', 'b', 'B'),
  model_name: fc.constantFrom('gpt-4o', 'GPT-4o-mini', 'claude', ''),
  channel_id: fc.integer({ min: 0, max: 2 }),
  group: fc.constantFrom('default', 'vip'),
  request_id: fc.constantFrom('r1', 'r2', 'r3'),
})

const aFilter = fc.record({
  type: option(fc.constantFrom(logType.consumption, logType.error, logType.topUp, logType.admin)),
  userId: option(fc.integer({ min: 1, max: 4 })),
  tokenName: option(fc.constantFrom('a', 'B', 'none’s')),
  modelName: option(fc.constantFrom('gpt-4o', 'unknown', '%', 'gpt%', '%MINI', '%nothing%', 'c%e')),
  channelId: option(fc.integer({ min: 1, max: 3 })),
  group: option(fc.constantFrom('vip', 'gone')),
  requestId: option(fc.constantFrom('r1', 'r9'), 1),
  without: option(
    fc.record({
      userIds: option(fc.subarray([1, 2, 9])),
      tokenNames: option(fc.subarray(['a', 'B'])),
      modelNames: option(fc.subarray(['gpt-4o', 'claude', ''])),
      channelIds: option(fc.subarray([0, 1])),
      groups: option(fc.subarray(['vip', 'default'])),
    }),
  ),
  from: option(moment),
  to: option(moment),
})

const usual = aLogRow({ created_at: start, channel_name: '' })

const usualHour = {
  user_id: 1,
  token_name: 'main',
  model_name: 'gpt-4o',
  channel_id: 1,
  group: 'default',
  count: 2,
  errors: 0,
  prompt_tokens: 20,
  completion_tokens: 10,
  use_time: 4,
}

onBothDatabases('a search of the log', (world) => {
  const query = () => world().database.query

  const readStored = () =>
    query().selectFrom('logs').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute()

  async function fill(rows: readonly Partial<LogRow>[]): Promise<LogRow[]> {
    await query().deleteFrom('logs').execute()
    const whole = rows.map((row) => ({ ...usual, ...row }))
    if (whole.length > 0) await query().insertInto('logs').values(whole).execute()
    return readStored()
  }

  test('a search finds what a look at every row finds, whatever the filter, the page and the size of its windows', async () => {
    const anySearch = fc.record({
      filter: aFilter,
      p: fc.integer({ min: 1, max: 4 }),
      size: fc.constantFrom(1, 2, 7, 1000),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRow, { maxLength: 60 }),
        fc.array(anySearch, { minLength: 8, maxLength: 8 }),
        async (rows, searches) => {
          const all = await fill(rows)
          for (const { filter, p, size } of searches) {
            const expected = all.filter((row) => isMatch(row, filter))
            const found = await listLogs(query(), filter, pageOf({ p, page_size: 10 }), {
              milliseconds: Infinity,
              size,
            })
            expect(found).toEqual({
              items: expected.slice((p - 1) * 10, p * 10),
              total: expected.length,
              isTotalLowerBound: false,
              searchedUntil: null,
            })
          }
        },
      ),
      { numRuns: 12, seed: 20261 },
    )
  })

  test('a search that ends early says until when it looked, and goes on from there without missing or repeating a row', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRow, { maxLength: 60 }),
        fc.array(aFilter, { minLength: 4, maxLength: 4 }),
        async (rows, filters) => {
          const all = await fill(rows)
          for (const filter of filters) {
            const found = await searchOnAndOn(filter)
            expect(found).toEqual(all.filter((row) => isMatch(row, filter)))
          }
        },
      ),
      { numRuns: 10, seed: 20262 },
    )
  })

  /** With no time at all: one window per search. */
  async function searchOnAndOn(filter: LogFilter): Promise<LogRow[]> {
    const found: LogRow[] = []
    let to = filter.to
    for (;;) {
      const list = await listLogs(query(), { ...filter, to }, pageOf({ page_size: 100 }), { milliseconds: 0, size: 5 })
      expect(list.total).toBe(list.items.length)
      expect(list.isTotalLowerBound).toBe(list.searchedUntil !== null)
      found.push(...list.items)
      if (list.searchedUntil === null) return found
      to = list.searchedUntil - 1
    }
  }

  test('a search for rare rows reaches as far back as one for frequent rows', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({ created_at: start + index }))
    await fill([{ created_at: start, user_id: 9, group: 'vip' }, ...rows])
    const once: SearchBudget = { milliseconds: 0, size: 20 }
    const page = pageOf({})
    expect(await listLogs(query(), { userId: 9, tokenName: 'main' }, page, once)).toMatchObject({
      total: 1,
      searchedUntil: null,
    })
    expect(await listLogs(query(), { userId: 1, group: 'vip' }, page, once)).toMatchObject({
      total: 0,
      searchedUntil: null,
    })
    expect(await listLogs(query(), { userId: 1, modelName: 'none%' }, page, once)).toMatchObject({
      searchedUntil: null,
    })
    const frequent = await listLogs(query(), { userId: 1, type: logType.consumption }, page, once)
    expect(frequent).toMatchObject({ total: 20, isTotalLowerBound: true, searchedUntil: start + 980 })
  })

  test('a search by a pattern that matches too many models does not go by name', async () => {
    await fill(Array.from({ length: 700 }, (_, index) => ({ created_at: start + index, model_name: `m-${index}` })))
    const found = await listLogs(query(), { modelName: '%-69%' }, pageOf({ page_size: 20 }), {
      milliseconds: Infinity,
      size: 50,
    })
    expect(found.items.map(({ model_name }) => model_name)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `m-${699 - index}`),
      'm-69',
    ])
    expect(await modelNames(query(), 'logs', '%')).toBeNull()
    await fill(Array.from({ length: 30 }, (_, index) => ({ model_name: `m-${index}` })))
    expect(await modelNames(query(), 'logs', '%')).toMatchObject({ names: { length: 30 }, isEvery: true })
    expect(await modelNames(query(), 'logs', 'M-5')).toEqual({ names: ['m-5'], isEvery: false })
  })

  test('sums that end early go on from there and come to the same total', async () => {
    await query().deleteFrom('rollups').execute()
    const hours = Array.from({ length: 40 }, (_, index) => start + index * hour)
    await fill(hours.flatMap((time) => [{ created_at: time + 10 }, { created_at: time + 3000, quota: 7 }]))
    await query()
      .insertInto('rollups')
      .values(hours.map((time) => ({ ...usualHour, hour: time, quota: 107 })))
      .execute()
    const range = { from: start + 2000, to: start + 38 * hour + 1000 }
    const now = range.to
    const whole = await logStat(query(), range, now)
    expect(whole).toMatchObject({ quota: 7 + 37 * 107 + 100 })
    expect(whole.searched_until).toBeUndefined()
    let quota = 0
    let parts = 0
    for (let to: number | null = range.to; to !== null; parts += 1) {
      const part: logRoutes.LogStat = await logStat(query(), { ...range, to }, now, 0)
      quota += part.quota
      to = part.searched_until === undefined ? null : part.searched_until - 1
    }
    expect(quota).toBe(whole.quota)
    expect(parts).toBeGreaterThan(1)
  })
})
