import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../test/databases'
import { FakeTime } from '../../../test/fake-time'
import { aToken, aUser } from '../../../test/ledger'
import { noRests } from '../../../test/pace'
import { recordQueries, wholeReads } from '../../../test/plans'
import { aPeriod, aWindow } from '../../../test/windows'
import { Metrics } from '../../platform/telemetry/metrics/metrics'
import { pruneWindows } from './prune-windows'

const [day, hour] = [86_400, 3600]

onBothDatabases('pruning of windows', (world) => {
  const clock = new FakeTime()
  const now = clock.seconds()
  const { signal } = new AbortController()
  const job = (rows = 1000) =>
    pruneWindows({ database: world().database, clock, timers: clock, metrics: new Metrics() }, () => noRests(rows))
  const endsOf = async (windowId: number) => {
    const { query } = world().database
    const rows = query.selectFrom('window_periods').select('ends_at').where('window_id', '=', windowId)
    return (await rows.orderBy('ends_at').execute()).map(({ ends_at: endsAt }) => endsAt - now)
  }
  const subject_id = 1

  test('periods go an hour after their end, two days or 400 days, by their length', async () => {
    const { database } = world()
    const userId = await aUser(database, 1)
    const { id } = await aWindow(database, userId)
    for (const [seconds, retention] of [
      [60, hour],
      [hour, 2 * day],
      [day, 400 * day],
    ] as const)
      for (const age of [retention + 1, retention])
        await aPeriod(database, id, { subject_id, now, ends_at: now - age, seconds })
    await job(1).run(signal)
    expect(await endsOf(id)).toEqual([-400 * day, -2 * day, -hour])
  })

  test('a run reads by indexes, a part at a time, and those that stay once', async () => {
    const { kind, query: plain } = world().database
    await plain.deleteFrom('window_periods').execute()
    await plain.deleteFrom('windows').execute()
    const { id } = await aWindow(world().database, await aUser(world().database, 1))
    const periods = (count: number, ends_at: number, seconds: number) =>
      Array.from({ length: count }, (_, index) => ({
        window_id: id,
        subject_id: index,
        starts_at: ends_at - seconds,
        ends_at,
        capacity: 1,
        free: 1,
      }))
    const [stay, go] = [periods(40, now - 3 * day, day), periods(40, now - 4 * day, 60)]
    await plain
      .insertInto('window_periods')
      .values([...stay, ...go])
      .execute()
    const { query, plans, queries } = recordQueries({ query: plain, kind })
    const database = { ...world().database, query, longRunning: query }
    const prune = pruneWindows({ database, clock, timers: clock, metrics: new Metrics() }, () => noRests(20))
    const statementsOfRun = async () => {
      const before = queries.length
      await prune.run(signal)
      return queries.length - before
    }
    // Windows of keys and users, those that are gone, and holds.
    const others = 4
    // Each part of twenty is read in one statement or two, and removed by one; of the short ones there are four, then two are left.
    expect(await statementsOfRun()).toBe(others + (8 + 4) + (5 + 2) + 2)
    expect(await endsOf(id)).toHaveLength(40)
    expect(await statementsOfRun()).toBe(others + 3 * 2)
    for (const plan of await plans()) expect(wholeReads(plan, 'window_periods')).toBe(0)
  })

  test('what is leased or held of a period keeps it', async () => {
    const { database } = world()
    const userId = await aUser(database, 1)
    const { id } = await aWindow(database, userId)
    await aPeriod(database, id, { subject_id, now, ends_at: now - 3 * day, leased: 1 })
    await aPeriod(database, id, { subject_id, now, ends_at: now - 4 * day })
    const { id: held } = await database.query
      .selectFrom('window_periods')
      .select('id')
      .where('window_id', '=', id)
      .where('ends_at', '=', now - 4 * day)
      .executeTakeFirstOrThrow()
    const windows = JSON.stringify([{ period: held, measure: 'requests', amount: 1 }])
    const hold = { user_id: userId, token_id: 0, is_token_limited: 0, amount: 0, created_at: now }
    await database.query
      .insertInto('holds')
      .values({ id: `held-${held}`, ...hold, windows })
      .execute()
    await job().run(signal)
    expect(await endsOf(id)).toEqual([-4 * day, -3 * day])
  })

  test('periods of a window that is gone go at the second run, and windows go with their key or user', async () => {
    const { database } = world()
    const { query } = database
    const userId = await aUser(database, 1)
    const tokenId = await aToken(database, userId)
    const { id } = await aWindow(database, tokenId, { owner: 'token' })
    const { id: stays } = await aWindow(database, userId)
    for (const windowId of [id, stays]) await aPeriod(database, windowId, { subject_id, now })
    await query.updateTable('tokens').set({ deleted_at: now }).where('id', '=', tokenId).execute()
    const prune = job()
    await prune.run(signal)
    expect([await endsOf(id), await endsOf(stays)]).toEqual([[60], [60]])
    await prune.run(signal)
    expect([await endsOf(id), await endsOf(stays)]).toEqual([[], [60]])
    const left = await query.selectFrom('windows').select('id').where('id', 'in', [id, stays]).execute()
    expect(left).toEqual([{ id: stays }])
  })
})
