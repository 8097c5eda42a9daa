import { beforeEach, expect, test } from 'bun:test'

import { logType, pageOf, type logRoutes } from '@tollgate/contract'

import { onBothDatabases } from '../../../test/databases'
import { recordQueries, wholeReads } from '../../../test/plans'
import { aLogRow } from '../../../test/rows'
import type { LogRow } from '../../platform/store/tables'
import type { LogFilter } from './log-filter'
import { sortLogs } from './sort-logs'

const now = 1_800_000_000

onBothDatabases('a sorted log', (world) => {
  beforeEach(() => world().database.query.deleteFrom('logs').execute())

  const insert = (rows: readonly Partial<LogRow>[]) =>
    world()
      .database.query.insertInto('logs')
      .values(rows.map((row, index) => aLogRow({ created_at: now - index, ...row })))
      .execute()

  const sorted = async (sort: logRoutes.LogSort, filter: LogFilter = {}, page = pageOf({}), isDescending = true) => {
    const budget = { milliseconds: Infinity, size: 2 }
    const list = await sortLogs(world().database, filter, page, { sort, isDescending }, budget)
    return { contents: list.items.map(({ content }) => content).join(' '), list }
  }

  test('calls are sorted by cost, tokens and duration over all windows; rows of anything else come last', async () => {
    await insert([
      { content: 'a', quota: 5, prompt_tokens: 1, completion_tokens: 1, use_time: 3 },
      { content: 'top-up', type: logType.topUp, quota: 900, use_time: 900 },
      { content: 'b', quota: 7, prompt_tokens: 1, completion_tokens: 5, other: '{"use_time_ms":2999}', use_time: 2 },
      {
        content: 'c',
        quota: 6,
        prompt_tokens: 9,
        completion_tokens: 0,
        other: '{"use_time_ms":3001,"frt":1}',
        use_time: 3,
      },
      { content: 'failed', type: logType.error, quota: 0, use_time: 9 },
      { content: 'd', quota: 7, prompt_tokens: 0, completion_tokens: 0, use_time: 1 },
    ])
    expect((await sorted('cost')).contents).toBe('b d c a top-up failed')
    expect((await sorted('cost', {}, pageOf({}), false)).contents).toBe('a c b d top-up failed')
    expect((await sorted('tokens')).contents).toBe('c b a d top-up failed')
    expect((await sorted('duration')).contents).toBe('failed c a b d top-up')
    expect((await sorted('cost', { type: logType.consumption }, pageOf({ p: 2, page_size: 3 }))).contents).toBe('a')
    expect((await sorted('cost')).list).toMatchObject({ total: 6, isTotalLowerBound: false, searchedUntil: null })
  })

  test('a search that runs out of time says how far it came, and sorts what it saw', async () => {
    await insert(Array.from({ length: 9 }, (_, index) => ({ content: String(index), quota: index })))
    const list = await sortLogs(
      world().database,
      {},
      pageOf({}),
      { sort: 'cost', isDescending: true },
      { milliseconds: 0, size: 3 },
    )
    expect(list).toMatchObject({ isTotalLowerBound: true, searchedUntil: now - 2 })
    expect(list.items.map(({ content }) => content)).toEqual(['2', '1', '0'])
  })

  test('sorting reads no whole table', async () => {
    await insert(Array.from({ length: 60 }, (_, index) => ({ quota: index, model_name: `m${index % 3}` })))
    const filters: readonly LogFilter[] = [{}, { userId: 1 }, { modelName: 'm1' }, { channelId: 1, from: now - 30 }]
    for (const filter of filters) {
      const { query, plans } = recordQueries(world().database)
      const order = { sort: 'duration', isDescending: true } as const
      await sortLogs({ ...world().database, query }, filter, pageOf({}), order, { milliseconds: Infinity, size: 20 })
      for (const plan of await plans()) expect(wholeReads(plan, 'logs(?:_rest)?'), plan.join('\n')).toBe(0)
    }
  })
})
