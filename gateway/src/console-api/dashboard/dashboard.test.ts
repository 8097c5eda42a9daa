import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { ApiError, channelStatus, dashboardRoutes, role } from '@tollgate/contract'
import { sql } from 'kysely'

import { createClock } from '../../platform/time/clock'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { BatchWriter } from '../../billing/ledger/charge/measure-batch'
import { dashboardHandlers } from './dashboard'

const hour = 3600
const day = 24 * hour
/** Wednesday, 12 June 2024, 10:20 UTC. */
const now = Date.UTC(2024, 5, 12, 10, 20) / 1000
const midnight = Date.UTC(2024, 5, 12) / 1000

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('the dashboard (%s)', (kind) => {
  let world: World
  let site: TestConsole
  let admin: SignedIn
  let ann: SignedIn & { username: string }

  beforeAll(async () => {
    const clock = createClock(
      () => now * 1000,
      () => 0,
    )
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, dashboardHandlers)
    admin = await site.signIn((await anAccount(world.ctx, { role: role.admin })).id)
    const { id, username } = await anAccount(world.ctx)
    ann = { ...(await site.signIn(id)), username }
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    await world.ctx.database.query.deleteFrom('rollups').execute()
    await world.ctx.database.query.deleteFrom('channels').execute()
    await world.ctx.database.query.deleteFrom('measure_batches').execute()
  })

  const query = () => world.ctx.database.query
  const aRollup = (fields: Partial<Record<string, string | number>> = {}) => ({
    hour: midnight,
    user_id: ann.userId,
    token_name: 'main',
    model_name: 'gpt-4o',
    channel_id: 1,
    group: 'default',
    count: 1,
    errors: 0,
    quota: 100,
    prompt_tokens: 10,
    completion_tokens: 5,
    use_time: 2,
    sold: 0,
    vendor_cost: 0,
    cost_saved: 0,
    ...fields,
  })
  const insert = (rows: ReturnType<typeof aRollup>[]) => query().insertInto('rollups').values(rows).execute()
  const aChannel = (id: number, name: string, status: number = channelStatus.enabled) =>
    query()
      .insertInto('channels')
      .values({ id, type: 1, name, key_sealed: '', models: '', status, tag: null, created_time: 1 })
      .execute()
  type DashboardQuery = NonNullable<Parameters<ReturnType<TestConsole['client']>['call']>[1]>['query']
  const readDashboard = (query: DashboardQuery = {}) => site.client(admin).call(dashboardRoutes.dashboard, { query })
  const own = (query: DashboardQuery = {}) => site.client(ann).call(dashboardRoutes.ownDashboard, { query })

  test('an empty site has buckets without gaps and no series', async () => {
    const data = await readDashboard()
    expect(data.totals).toEqual({
      count: 0,
      errors: 0,
      quota: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      use_time: 0,
    })
    expect(data.times).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map((days) => midnight - days * day))
    expect(data.totals_by_time.errors).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    expect(data.series).toEqual([])
  })

  test('usage is summed by time, by series and in total, with errors separate from calls', async () => {
    await insert([
      aRollup({ count: 3, quota: 300, errors: 1 }),
      aRollup({ hour: midnight + 2 * hour, count: 1, quota: 50 }),
      aRollup({ hour: midnight - day, model_name: 'claude', count: 2, quota: 900, prompt_tokens: 70, use_time: 9 }),
      aRollup({
        hour: midnight - day,
        model_name: 'broken',
        count: 0,
        quota: 0,
        errors: 4,
        prompt_tokens: 0,
        completion_tokens: 0,
        use_time: 0,
      }),
    ])
    const data = await readDashboard({ start_timestamp: midnight - day, end_timestamp: now })
    expect(data.totals).toEqual({
      count: 6,
      errors: 5,
      quota: 1250,
      prompt_tokens: 90,
      completion_tokens: 15,
      use_time: 13,
    })
    expect(data.times).toEqual([midnight - day, midnight])
    expect(data.totals_by_time).toEqual({ count: [2, 4], errors: [4, 1], quota: [900, 350], tokens: [75, 30] })
    expect(data.series).toEqual([
      {
        id: null,
        name: 'claude',
        is_other: false,
        count: 2,
        errors: 0,
        quota: 900,
        tokens: 75,
        by_time: { count: [2, 0], quota: [900, 0], tokens: [75, 0] },
      },
      {
        id: null,
        name: 'gpt-4o',
        is_other: false,
        count: 4,
        errors: 1,
        quota: 350,
        tokens: 30,
        by_time: { count: [0, 4], quota: [0, 350], tokens: [0, 30] },
      },
      {
        id: null,
        name: 'broken',
        is_other: false,
        count: 0,
        errors: 4,
        quota: 0,
        tokens: 0,
        by_time: { count: [0, 0], quota: [0, 0], tokens: [0, 0] },
      },
    ])
  })

  test('what exceeds the limit is one more series, and together they are the total', async () => {
    const models = ['a', 'b', 'c', 'd', 'e']
    await insert(
      models.map((model_name, index) =>
        aRollup({ model_name, quota: 100 * (index + 1), hour: midnight - index * day }),
      ),
    )
    const data = await readDashboard({ limit: 2 })
    expect(data.series.map(({ name, is_other, quota }) => [name, is_other, quota])).toEqual([
      ['e', false, 500],
      ['d', false, 400],
      ['', true, 600],
    ])
    const together = data.times.map((_, position) =>
      data.series.reduce((sum, series) => sum + (series.by_time.quota[position] ?? 0), 0),
    )
    expect(together).toEqual(data.totals_by_time.quota)
    expect((await readDashboard({ limit: 5 })).series).toHaveLength(5)
  })

  test('the previous span has the same length and ends where this one begins', async () => {
    await insert([
      aRollup({ hour: midnight, quota: 1 }),
      aRollup({ hour: midnight - hour, quota: 10 }),
      aRollup({ hour: midnight - 11 * hour, quota: 100 }),
      aRollup({ hour: midnight - 12 * hour, quota: 1000 }),
    ])
    const data = await readDashboard({ start_timestamp: midnight + 1, end_timestamp: now })
    expect(data.totals.quota).toBe(1)
    expect(data.previous.quota).toBe(110)
  })

  test('days and weeks begin in the caller’s time zone', async () => {
    await insert([
      aRollup({ hour: midnight - 8 * hour - hour, quota: 1 }),
      aRollup({ hour: midnight - 8 * hour, quota: 10 }),
    ])
    const inChina = await readDashboard({ start_timestamp: midnight - day, utc_offset: 480 })
    expect(inChina.times.slice(-2)).toEqual([midnight - day - 8 * hour, midnight - 8 * hour])
    expect(inChina.totals_by_time.quota.slice(-2)).toEqual([1, 10])
    const weekly = await readDashboard({ start_timestamp: midnight - 10 * day, granularity: 'week', utc_offset: -300 })
    const monday = midnight - 2 * day + 5 * hour
    expect(weekly.times).toEqual([monday - 14 * day, monday - 7 * day, monday])
    const hourly = await readDashboard({ start_timestamp: midnight, granularity: 'hour', utc_offset: 330 })
    expect(hourly.times).toEqual(Array.from({ length: 11 }, (_, index) => midnight + index * hour))
  })

  test('series are grouped by channel and user under their names, and by number when they are gone', async () => {
    await aChannel(1, 'first')
    await insert([
      aRollup({ quota: 300 }),
      aRollup({ channel_id: 99, user_id: 4_000_000, quota: 200, group: 'vip', token_name: 'other' }),
    ])
    const names = async (group_by: string) =>
      (await readDashboard({ group_by })).series.map(({ id, name }) => [id, name])
    expect(await names('channel')).toEqual([
      [1, 'first'],
      [99, '#99'],
    ])
    expect(await names('user')).toEqual([
      [ann.userId, ann.username],
      [4_000_000, '#4000000'],
    ])
    expect(await names('group')).toEqual([
      [null, 'default'],
      [null, 'vip'],
    ])
    expect(await names('token')).toEqual([
      [null, 'main'],
      [null, 'other'],
    ])
  })

  test('every filter keeps what it names', async () => {
    await insert([
      aRollup({ quota: 1 }),
      aRollup({ quota: 10, user_id: 4_000_000 }),
      aRollup({ quota: 100, model_name: 'claude' }),
      aRollup({ quota: 1000, channel_id: 2 }),
      aRollup({ quota: 10_000, token_name: 'other' }),
    ])
    const quota = async (query: DashboardQuery) => (await readDashboard(query)).totals.quota
    expect(await quota({})).toBe(11_111)
    expect(await quota({ username: ann.username })).toBe(11_101)
    expect(await quota({ username: 'nobody-of-that-name' })).toBe(0)
    expect(await quota({ model_name: 'cla%' })).toBe(100)
    expect(await quota({ channel: 2 })).toBe(1000)
    expect(await quota({ token_name: 'other' })).toBe(10_000)
  })

  test('a pattern matches its models, be they none, some, many or all', async () => {
    await insert([aRollup(), ...Array.from({ length: 300 }, (_, index) => aRollup({ model_name: `m-${index}` }))])
    const count = async (model_name: string) => {
      const { totals, series } = await readDashboard({ model_name })
      expect(series.reduce((sum, { quota }) => sum + quota, 0)).toBe(totals.quota)
      return totals.count
    }
    expect(await count('none%')).toBe(0)
    expect(await count('M-29%')).toBe(11)
    expect(await count('m%')).toBe(300)
    expect(await count('%')).toBe(301)
    expect((await readDashboard({ model_name: 'm-1%', group_by: 'user' })).series).toMatchObject([{ count: 111 }])
  })

  test('a user sees only their own calls, and neither channels nor users', async () => {
    await insert([aRollup({ quota: 1 }), aRollup({ quota: 10, user_id: 4_000_000 })])
    expect((await own()).totals.quota).toBe(1)
    const others = [{ username: 'account-1' }, { channel: 99 }, { group_by: 'channel' }, { group_by: 'user' }] as const
    for (const query of others) expect(await failureOf(own(query))).toBe('input.invalid')
  })

  /** Two calls of Ann's and one of another user's, with their usage. */
  async function someMeasures() {
    const figures = { promptTokens: 100, completionTokens: 50, cachedTokens: 40, cacheSaved: 7 }
    const origin = { createdAt: midnight, tokenName: 'main', modelName: 'gpt-4o', channelId: 1, group: 'default' }
    const batch = new BatchWriter()
    batch.call({ ...origin, userId: ann.userId }, { ...figures, wholeMs: 1000, firstTokenMs: 10 })
    batch.call({ ...origin, userId: ann.userId }, { ...figures, wholeMs: 3000, firstTokenMs: 12, cachedTokens: 0 })
    batch.call(
      { ...origin, createdAt: midnight - day, userId: 4_000_000, modelName: 'claude' },
      { ...figures, wholeMs: 9000, firstTokenMs: null },
    )
    batch.error({ ...origin, userId: ann.userId }, 'upstream.busy')
    batch.error({ ...origin, userId: 4_000_000 }, 'upstream.failed')
    batch.error({ ...origin, userId: 4_000_000 }, 'upstream.failed')
    await query().insertInto('measure_batches').values({ hour: batch.hour, records: batch.bytes() }).execute()
    await insert([
      aRollup({ count: 2, quota: 900 }),
      aRollup({ hour: midnight - day, user_id: 4_000_000, model_name: 'claude' }),
    ])
  }

  test('measures report how fast calls were, what caches saved and why attempts failed, on request', async () => {
    await someMeasures()
    expect((await readDashboard()).measures).toBeUndefined()
    const { measures, series } = await readDashboard({ measures: true, start_timestamp: midnight - day })
    expect(measures?.totals).toEqual({
      calls: 3,
      prompt_tokens: 300,
      cached_tokens: 80,
      cache_saved: 21,
      tokens_per_second: 11.6,
      first_token_ms: { p50: 10, p95: 12 },
      whole_ms: expect.any(Object),
    })
    expect(measures?.totals.whole_ms?.p50).toBeWithin(2800, 3200)
    expect(measures?.totals.whole_ms?.p95).toBeWithin(8400, 9600)
    expect(measures?.by_time.first_token_p50).toEqual([null, 10])
    expect(measures?.by_time.cache_saved).toEqual([7, 14])
    expect(measures?.errors).toEqual([
      { code: 'upstream.failed', count: 2 },
      { code: 'upstream.busy', count: 1 },
    ])
    expect(measures?.previous).toMatchObject({ calls: 0, tokens_per_second: null, whole_ms: null })
    expect(series.map(({ name, measures: of }) => [name, of?.calls, of?.first_token_ms?.p95])).toEqual([
      ['gpt-4o', 2, 12],
      ['claude', 1, undefined],
    ])
    const later = await readDashboard({ measures: true, start_timestamp: midnight - 12 * hour })
    expect(later.measures?.previous.calls).toBe(1)
  })

  test('an administrator reads what calls brought and what vendors charge for them with the measures, and a user does not', async () => {
    await insert([
      aRollup({ count: 3, quota: 500, sold: 300, vendor_cost: 120, cost_saved: 30 }),
      aRollup({ hour: midnight - day, model_name: 'claude', quota: 90, sold: 90, vendor_cost: 100, cost_saved: 4 }),
      aRollup({ hour: midnight - day, model_name: 'unknown', quota: 5 }),
      aRollup({ hour: midnight - 2 * day, quota: 7, sold: 7, vendor_cost: 6 }),
    ])
    const query = { measures: true, start_timestamp: midnight - day, limit: 1 }
    const { margin, series } = await readDashboard(query)
    expect(margin).toEqual({
      totals: { sold: 390, cost: 220, saved: 34 },
      previous: { sold: 7, cost: 6, saved: 0 },
      by_time: { sold: [90, 300], cost: [100, 120] },
    })
    expect(series.map(({ name, margin: of }) => [name, of])).toEqual([
      ['gpt-4o', { sold: 300, cost: 120, saved: 30 }],
      ['', { sold: 90, cost: 100, saved: 4 }],
    ])
    const ofChannel = await readDashboard({ ...query, channel: 1, model_name: 'claude', group_by: 'channel' })
    expect(ofChannel.margin?.totals).toEqual({ sold: 90, cost: 100, saved: 4 })
    expect((await readDashboard({ start_timestamp: midnight })).margin).toBeUndefined()
    expect(JSON.stringify(await own(query))).not.toContain('margin')
  })

  test("a user's measures cover only their own calls; an administrator may request a user's", async () => {
    await someMeasures()
    for (const data of [
      await own({ measures: true, group_by: 'token' }),
      await readDashboard({ measures: true, username: ann.username, group_by: 'token' }),
    ]) {
      expect(data.measures?.totals.calls).toBe(2)
      expect(data.measures?.errors).toEqual([{ code: 'upstream.busy', count: 1 }])
      expect(data.series.map(({ name, measures }) => [name, measures?.calls])).toEqual([['main', 2]])
    }
    expect((await readDashboard({ measures: true, username: 'nobody-of-that-name' })).measures).toBeNull()
    expect((await readDashboard({ measures: true, channel: 1, model_name: 'gpt-4o' })).measures).toBeNull()
    expect((await own({ measures: true, model_name: 'cla%' })).measures?.totals.calls).toBe(0)
  })

  test('ranges are limited', async () => {
    expect((await readDashboard({ start_timestamp: 0, granularity: 'week' })).times).toHaveLength(58)
    expect((await readDashboard({ start_timestamp: midnight, end_timestamp: now + 9 * day })).times).toEqual([midnight])
    expect(await failureOf(readDashboard({ start_timestamp: now, end_timestamp: midnight }))).toBe('param.invalid')
    const wrong: DashboardQuery[] = [{ utc_offset: 841 }, { limit: 0 }, { limit: 51 }, { granularity: 'month' }]
    for (const query of wrong) expect(await failureOf(readDashboard(query))).toBe('input.invalid')
  })

  test.each(['/api/data?by=channel', '/api/data/self?dimension=token', '/api/data/channels?hours=1'])(
    'a parameter that is not known is refused by its name: %s',
    async (path) => {
      const response = await site.send('GET', path, { as: admin, headers: { 'Accept-Language': 'en' } })
      expect(await response.json()).toMatchObject({ success: false, code: 'input.invalid' })
      expect((await site.send('GET', path.replace(/\?.*/, ''), { as: admin })).status).toBe(200)
    },
  )

  test('the dashboard requires its roles', async () => {
    const guest = site.client()
    expect(await failureOf(guest.call(dashboardRoutes.ownDashboard))).toBe('auth.required')
    expect(await failureOf(site.client(ann).call(dashboardRoutes.dashboard))).toBe('auth.forbidden')
    expect(await failureOf(site.client(ann).call(dashboardRoutes.channelHealth))).toBe('auth.forbidden')
  })

  test('the dashboard never reads the log', async () => {
    await insert([aRollup()])
    await sql`alter table logs rename to logs_away`.execute(query())
    try {
      expect((await readDashboard()).totals.count).toBe(1)
      expect((await site.client(admin).call(dashboardRoutes.channelHealth)).channels).toHaveLength(1)
    } finally {
      await sql`alter table logs_away rename to logs`.execute(query())
    }
  })

  test('channels are listed by the hour: the worst first, those out without a call behind failing ones, quiet ones last, deleted ones by number', async () => {
    await aChannel(1, 'quiet')
    await aChannel(2, 'off', channelStatus.disabled)
    await aChannel(3, 'busy')
    await aChannel(4, 'out', channelStatus.autoDisabled)
    await aChannel(5, 'failed once')
    await aChannel(6, 'out today', channelStatus.autoDisabled)
    await insert([
      aRollup({ channel_id: 3, hour: midnight + 9 * hour, count: 1, errors: 5, use_time: 4 }),
      aRollup({ channel_id: 3, hour: midnight + 9 * hour, model_name: 'other', count: 2, use_time: 3 }),
      aRollup({ channel_id: 5, hour: midnight + 9 * hour, count: 0, errors: 1 }),
      aRollup({ channel_id: 6, hour: midnight + 9 * hour, count: 90, errors: 3 }),
      aRollup({ channel_id: 77, hour: midnight + 10 * hour }),
      aRollup({ channel_id: 0, hour: midnight + 10 * hour }),
      aRollup({ channel_id: 2, hour: midnight - 15 * hour }),
    ])
    const health = await site.client(admin).call(dashboardRoutes.channelHealth)
    const { times, channels, ...counts } = health
    expect(times).toHaveLength(24)
    expect(times.at(-1)).toBe(midnight + 10 * hour)
    expect(channels.map(({ id, name, status }) => [id, name, status])).toEqual([
      [6, 'out today', channelStatus.autoDisabled],
      [3, 'busy', channelStatus.enabled],
      [4, 'out', channelStatus.autoDisabled],
      [5, 'failed once', channelStatus.enabled],
      [77, '#77', 0],
      [1, 'quiet', channelStatus.enabled],
    ])
    expect(channels[1]?.cells.slice(-3)).toEqual([null, { count: 3, errors: 5 }, null])
    expect(channels[5]?.cells.every((cell) => cell === null)).toBe(true)
    expect(counts).toEqual({ total: 6, failing: 3, healthy: 1, quiet: 2 })
    const worst = await site.client(admin).call(dashboardRoutes.channelHealth, { query: { limit: 2 } })
    expect(worst.channels.map(({ id }) => id)).toEqual([6, 3])
    expect(worst.total).toBe(6)
    const week = await site.client(admin).call(dashboardRoutes.channelHealth, { query: { start_timestamp: 1 } })
    expect(week.times).toHaveLength(7 * 24)
  })
})
