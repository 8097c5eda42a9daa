import { beforeEach, describe, expect, test } from 'bun:test'

import { logRoutes, logType, pageOf } from '@tollgate/contract'
import * as fc from 'fast-check'

import { onBothDatabases } from '../../../test/databases'
import { noRests } from '../../../test/pace'
import { aLogRow } from '../../../test/rows'
import { userIdOf } from '../../accounts/users/usernames'
import type { Queries } from '../../platform/store/database'
import { createSeal } from '../../platform/store/seal'
import type { LogRow } from '../../platform/store/tables'
import { findTexts } from '../../platform/telemetry/log-texts/stored-texts'
import { removeLogs } from '../../operations/retention/remove-logs'
import { maxExactTotal, listLogs } from '../../billing/usage-log/list-logs'
import { logEntity, ownLogEntity } from './log-entity'
import type { LogFilter } from '../../billing/usage-log/log-filter'
import { logFilter } from './log-filter'
import { logStat, splitRange } from '../../billing/usage-log/log-stat'

const seal = createSeal(new Uint8Array(32))
const hour = 3600
const now = 500_000 * hour + 1234

const aRow = (fields: Partial<LogRow> = {}) => aLogRow({ created_at: now, channel_name: 'first', ...fields })

async function insert(query: Queries, rows: Omit<LogRow, 'id'>[]) {
  for (let start = 0; start < rows.length; start += 1000) {
    await query
      .insertInto('logs')
      .values(rows.slice(start, start + 1000))
      .execute()
  }
}

/** Writes the rollups that the ledger keeps besides the rows. */
async function rollUp(query: Queries) {
  const rows = await query
    .selectFrom('logs')
    .select((eb) => [
      eb(eb('created_at', '/', hour), '*', hour).as('hour'),
      'user_id',
      'token_name',
      'model_name',
      'channel_id',
      'group',
      eb.fn.countAll<number>().as('count'),
      eb.lit(0).as('errors'),
      eb.fn.sum<number>('quota').as('quota'),
      eb.fn.sum<number>('prompt_tokens').as('prompt_tokens'),
      eb.fn.sum<number>('completion_tokens').as('completion_tokens'),
      eb.fn.sum<number>('use_time').as('use_time'),
    ])
    .where('type', '=', logType.consumption)
    .groupBy(['hour', 'user_id', 'token_name', 'model_name', 'channel_id', 'group'])
    .execute()
  if (rows.length > 0) await query.insertInto('rollups').values(rows).execute()
}

onBothDatabases('the log', (world, once) => {
  const query = () => world().database.query

  beforeEach(async () => {
    await query().deleteFrom('logs').execute()
    await query().deleteFrom('rollups').execute()
  })

  const contents = async (filter: LogFilter, page = pageOf({})) =>
    (await listLogs(query(), filter, page)).items.map(({ content }) => content)

  once('every filter keeps what it names', async () => {
    await insert(query(), [
      aRow({ content: 'plain' }),
      aRow({ content: 'type', type: logType.error }),
      aRow({ content: 'user', user_id: 2, username: 'bob' }),
      aRow({ content: 'token', token_name: 'other' }),
      aRow({ content: 'model', model_name: 'gpt_4o-mini' }),
      aRow({ content: 'channel', channel_id: 9 }),
      aRow({ content: 'group', group: 'vip' }),
      aRow({ content: 'early', created_at: now - 100 }),
      aRow({ content: 'late', created_at: now + 100 }),
    ])
    expect(await contents({ type: logType.error })).toEqual(['type'])
    expect(await contents({ userId: 2 })).toEqual(['user'])
    expect(await contents({ userId: null })).toEqual([])
    expect(await contents({ tokenName: 'other' })).toEqual(['token'])
    expect(await contents({ modelName: 'gpt_4o-mini' })).toEqual(['model'])
    expect(await contents({ channelId: 9 })).toEqual(['channel'])
    expect(await contents({ group: 'vip' })).toEqual(['group'])
    expect(await contents({ to: now - 100 })).toEqual(['early'])
    expect(await contents({ from: now + 100 })).toEqual(['late'])
    expect(await contents({ from: now + 1, to: now + 99 })).toEqual([])
  })

  once('only % is special in a model pattern, and letter case does not matter', async () => {
    await insert(query(), [
      aRow({ model_name: 'gpt-4o', content: 'a' }),
      aRow({ model_name: 'gpt_4o', content: 'b' }),
      aRow({ model_name: 'GPT-4o-mini', content: 'c' }),
      aRow({ model_name: '100%', content: 'd' }),
    ])
    expect(await contents({ modelName: 'gpt_4%' })).toEqual(['b'])
    expect(await contents({ modelName: 'gpt-4%' })).toEqual(['c', 'a'])
    expect(await contents({ modelName: '%\\%' })).toEqual([])
    expect(await contents({ modelName: '%mini' })).toEqual(['c'])
  })

  test('rows are listed newest first, rows of one second by id, each row on one page', async () => {
    await insert(
      query(),
      Array.from({ length: 25 }, (_, index) => aRow({ created_at: now + Math.floor(index / 7), content: `${index}` })),
    )
    const pages = await Promise.all([1, 2, 3].map((p) => listLogs(query(), {}, pageOf({ p }))))
    expect(pages.flatMap(({ items }) => items.map(({ content }) => Number(content)))).toEqual(
      Array.from({ length: 25 }, (_, index) => 24 - index),
    )
    expect(pages.map(({ total }) => total)).toEqual([25, 25, 25])
    expect(await listLogs(query(), {}, pageOf({ p: 9 }))).toMatchObject({
      items: [],
      total: 25,
      isTotalLowerBound: false,
    })
    expect(await listLogs(query(), { userId: 77 }, pageOf({}))).toMatchObject({ items: [], total: 0 })
  })

  once('the total is exact up to a limit and says beyond it that there is more', async () => {
    await insert(
      query(),
      Array.from({ length: maxExactTotal + 50 }, () => aRow()),
    )
    expect((await listLogs(query(), {}, pageOf({}))).total).toBe(maxExactTotal)
    const size = 100
    const onLimit = await listLogs(query(), {}, pageOf({ p: maxExactTotal / size, page_size: size }))
    expect(onLimit.total).toBe(maxExactTotal + 1)
    const last = await listLogs(query(), {}, pageOf({ p: maxExactTotal / size + 1, page_size: size }))
    expect([last.items.length, last.total]).toEqual([50, maxExactTotal + 50])
  })

  once('deletion removes old consumption and error rows in batches and leaves money and administration', async () => {
    await insert(query(), [
      ...Array.from({ length: 2500 }, () => aRow({ created_at: now - 10 })),
      ...Object.values(logType).map((type) => aRow({ type, created_at: now - 10 })),
      aRow({ created_at: now }),
    ])
    const texts = { context: '', input: 'hello', output: 'hi' }
    await query()
      .insertInto('log_texts')
      .values([
        { ...texts, request_id: 'old', created_at: now - 1 },
        { ...texts, request_id: 'new', created_at: now },
      ])
      .execute()
    const removal = { before: now, pace: noRests(), isOver: () => false }
    expect(await removeLogs(world().database, removal)).toEqual({ count: 2502, isDone: true })
    expect(await findTexts(query(), 'old', seal)).toBeNull()
    expect(await findTexts(query(), 'new', seal)).not.toBeNull()
    const left = (await listLogs(query(), {}, pageOf({}))).items.map(({ type }) => type)
    expect(left.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
    expect(await removeLogs(world().database, removal)).toEqual({ count: 0, isDone: true })
  })

  once('a user name finds the user who has it now, in any letter case, also when the account is closed', async () => {
    const user = { username: 'Ann', username_key: 'ann', password_hash: '', display_name: '', role: 1, status: 1 }
    const rest = { aff_code: 'a', created_at: 1, deleted_at: 5 }
    const { id } = await query()
      .insertInto('users')
      .values({ ...user, ...rest })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await userIdOf(query(), ' ANN ')).toBe(id)
    expect(await userIdOf(query(), 'bob')).toBeNull()
    expect(await userIdOf(query(), '')).toBeUndefined()
  })

  once('sums with a type are those of the rows of that type', async () => {
    await insert(query(), [
      aRow({ quota: 1, prompt_tokens: 2, completion_tokens: 3 }),
      aRow({ type: logType.error, quota: 10, prompt_tokens: 20, completion_tokens: 30, created_at: now - 5 * hour }),
      aRow({ type: logType.topUp, quota: 100, prompt_tokens: 200, completion_tokens: 300 }),
    ])
    await rollUp(query())
    const quotaOf = async (filter: LogFilter) => (await logStat(query(), filter, now)).quota
    expect(await quotaOf({})).toBe(1)
    expect(await quotaOf({ type: logType.consumption })).toBe(1)
    expect(await quotaOf({ type: logType.error })).toBe(10)
    expect(await quotaOf({ type: logType.error, from: now - hour })).toBe(0)
    expect(await quotaOf({ type: logType.checkIn })).toBe(0)
    expect(await logStat(query(), { type: logType.topUp, userId: 1 }, now)).toMatchObject({
      quota: 100,
      rpm: 1,
      tpm: 500,
      token_input: 200,
    })
  })

  test('sums over rollups and edges equal a scan of the rows', async () => {
    const moment = fc.integer({ min: now - 4 * hour, max: now })
    const row = fc.record({
      created_at: moment,
      type: fc.constantFrom(logType.consumption, logType.consumption, logType.error, logType.topUp),
      user_id: fc.integer({ min: 1, max: 2 }),
      token_name: fc.constantFrom('a', 'b'),
      model_name: fc.constantFrom('gpt-4o', 'gpt-4o-mini'),
      channel_id: fc.integer({ min: 1, max: 2 }),
      group: fc.constantFrom('default', 'vip'),
      quota: fc.integer({ min: 0, max: 1e12 }),
      prompt_tokens: fc.nat(1e6),
      completion_tokens: fc.nat(1e6),
    })
    const option = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const filter = fc.record({
      from: option(fc.oneof(moment, fc.constantFrom(now - (now % hour), now - (now % hour) - hour))),
      to: option(fc.oneof(moment, fc.constantFrom(now - (now % hour) - 1, now - (now % hour)))),
      userId: option(fc.constantFrom(1, 2)),
      tokenName: option(fc.constantFrom('a', 'b')),
      modelName: option(fc.constantFrom('gpt-4o', '%mini')),
      channelId: option(fc.constantFrom(1, 2)),
      group: option(fc.constantFrom('vip')),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 30 }),
        fc.array(filter, { minLength: 5, maxLength: 5 }),
        async (rows, filters) => {
          await query().deleteFrom('logs').execute()
          await query().deleteFrom('rollups').execute()
          if (rows.length > 0) await insert(query(), rows.map(aRow))
          await rollUp(query())
          for (const one of filters) expect(await logStat(query(), one, now)).toEqual(await scan(one))
        },
      ),
      { numRuns: 12, seed: 20260 },
    )
  })

  /** Does the same by reading every row. */
  async function scan(filter: LogFilter): Promise<logRoutes.LogStat> {
    const matches = (row: LogRow) =>
      row.type === logType.consumption &&
      (filter.userId === undefined || row.user_id === filter.userId) &&
      (filter.tokenName === undefined || row.token_name === filter.tokenName) &&
      (filter.modelName === undefined || row.model_name.endsWith(filter.modelName.replace('%', ''))) &&
      (filter.modelName !== 'gpt-4o' || row.model_name === 'gpt-4o') &&
      (filter.channelId === undefined || row.channel_id === filter.channelId) &&
      (filter.group === undefined || row.group === filter.group)
    const rows = (await query().selectFrom('logs').selectAll().execute()).filter(matches)
    const within = rows.filter((row) => row.created_at >= (filter.from ?? 0) && row.created_at <= (filter.to ?? now))
    const minute = rows.filter((row) => row.created_at > now - 60)
    const sum = (of: LogRow[], key: 'quota' | 'prompt_tokens' | 'completion_tokens') =>
      of.reduce((total, row) => total + row[key], 0)
    const [input, output] = [sum(within, 'prompt_tokens'), sum(within, 'completion_tokens')]
    return {
      quota: sum(within, 'quota'),
      rpm: minute.length,
      tpm: sum(minute, 'prompt_tokens') + sum(minute, 'completion_tokens'),
      token_total: input + output,
      token_input: input,
      token_output: output,
    }
  }
})

describe('ranges', () => {
  test('hours and edges together are the range, without overlap', () => {
    const moment = fc.nat(5 * hour)
    fc.assert(
      fc.property(moment, moment, (from, to) => {
        const { hours, edges } = splitRange({ from, to })
        const whole = hours ? hours.before - hours.from : 0
        const length = edges.reduce((sum, edge) => sum + Math.max(edge.to - edge.from + 1, 0), whole)
        expect(length).toBe(Math.max(to - from + 1, 0))
        if (hours) expect([hours.from % hour, hours.before % hour]).toEqual([0, 0])
      }),
    )
  })
})

describe('what a user sees of a row', () => {
  const row: LogRow = {
    id: 1,
    ...aRow({
      channel_id: 4711,
      channel_name: 'hidden-channel',
      other: JSON.stringify({
        frt: 12,
        channel_id: 4711,
        channel_name: 'hidden-channel',
        admin_info: { use_channel: ['4711'] },
      }),
    }),
  }

  test('a user sees nothing of the channel', () => {
    const own = ownLogEntity(row, 'en')
    expect(JSON.stringify(own)).not.toMatch(/4711|hidden-channel|admin_info/)
    expect(own.other).toBe('{"frt":12}')
    expect(logRoutes.OwnLogEntity.strict().safeParse(own).success).toBe(true)
  })

  test('an administrator sees all of it', () => {
    expect(logEntity(row, 'en')).toMatchObject({ channel: 4711, channel_name: 'hidden-channel', is_stream: false })
    expect(logRoutes.LogEntity.strict().safeParse(logEntity(row, 'en')).success).toBe(true)
  })

  test.each(['not json', 'null', '7'])('details that are not an object (%p) are left out', (other) => {
    expect(ownLogEntity({ ...row, other }, 'en').other).toBe('')
  })
})

const noChannels = { channels: new Map() }

describe('filters of a query', () => {
  test('zero and empty mean all', () => {
    expect(
      Object.values(logFilter({ type: 0, token_name: '', channel: 0 }, noChannels)).every(
        (value) => value === undefined,
      ),
    ).toBe(true)
  })

  test('a pattern with many wildcards is refused, repeated ones count once', () => {
    expect(() => logFilter({ model_name: '%a%b%c%d%' }, noChannels)).toThrow('param.invalid')
    expect(logFilter({ model_name: '%%%a%%' }, noChannels).modelName).toBe('%a%')
  })
})
