import { beforeAll, expect, test } from 'bun:test'

import { sql } from 'kysely'

import { onBothDatabases } from '../../../test/databases'
import { recordQueries, wholeReads } from '../../../test/plans'
import type { UsageFilter } from '../../platform/store/usage-conditions'
import { addUpHours } from '../../../test/sums'
import { consumption } from './consumption'

const hour = 3600
const day = 24 * hour
const start = 1_800_000_000 - (1_800_000_000 % day)
const span = { from: start + hour, before: start + 3 * day - hour }

const filters: Record<string, UsageFilter> = {
  nothing: {},
  user: { userId: 1 },
  token: { tokenName: 'key-1' },
  model: { modelName: 'm1' },
  'model pattern': { modelName: 'm1%' },
  'model pattern of everything': { modelName: '%' },
  channel: { channelId: 1 },
  group: { group: 'default' },
  'channel, model': { channelId: 1, modelName: 'm1' },
}
const groupings = ['model', 'token', 'group', 'channel', 'user'] as const
const cases = Object.keys(filters).flatMap((name) => groupings.map((grouping) => [grouping, name] as const))

onBothDatabases('no query of a chart reads a whole table', (world) => {
  beforeAll(async () => {
    const { query, kind } = world().database
    const figures = { count: 1, errors: 0, quota: 5, prompt_tokens: 1, completion_tokens: 1, use_time: 1 }
    const rows = Array.from({ length: 1500 }, (_, index) => ({
      ...figures,
      hour: start + (index % 72) * hour,
      user_id: index % 200,
      token_name: `key-${index % 7}`,
      model_name: `m${index % 20}`,
      channel_id: index % 11,
      group: 'default',
    }))
    await query.insertInto('rollups').values(rows).execute()
    await addUpHours(world().database, span.before - 2 * hour)
    if (kind === 'postgres') for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(query)
  })

  test.each(cases)('a chart by %s of %s uses an index', async (grouping, name) => {
    const { query, plans } = recordQueries(world().database)
    const consumptionQuery = {
      filter: filters[name] ?? {},
      span,
      granularity: 'day',
      utcOffset: 480,
      grouping,
      limit: 2,
    } as const
    await consumption(query, consumptionQuery)
    for (const plan of await plans()) {
      for (const table of tables) expect(wholeReads(plan, table), plan.join('\n')).toBe(0)
    }
  })

  test('the usage of a few users is found in a covering index', async () => {
    const { query, plans } = recordQueries(world().database)
    await consumption(query, { filter: {}, span, granularity: 'day', utcOffset: 0, grouping: 'user', limit: 2 })
    // PostgreSQL decides by statistics, which so few rows as these do not produce.
    const expected = world().database.kind === 'sqlite' ? 'COVERING INDEX daily_sums_of' : 'daily_sums'
    expect((await plans()).flat().join('\n')).toContain(expected)
  })
})

const tables = ['rollups', 'hourly_sums', 'daily_sums'] as const
