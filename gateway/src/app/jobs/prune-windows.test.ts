import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../test/databases'
import { FakeTime } from '../../../test/fake-time'
import { aToken, aUser } from '../../../test/ledger'
import { noRests } from '../../../test/pace'
import { aPeriod, aWindow } from '../../../test/windows'
import { Metrics } from '../../platform/telemetry/metrics/metrics'
import { pruneWindows } from './prune-windows'

const day = 86_400

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

  test('short periods go two days after their end, longer ones after 400, as many at once as the pace allows', async () => {
    const { database } = world()
    const userId = await aUser(database, 1)
    const { id } = await aWindow(database, userId)
    for (const age of [3 * day, 2 * day + 1, 2 * day])
      await aPeriod(database, id, { subject_id, now, ends_at: now - age })
    for (const age of [400 * day + 1, 400 * day])
      await aPeriod(database, id, { subject_id, now, ends_at: now - age, seconds: day })
    await job(1).run(signal)
    expect(await endsOf(id)).toEqual([-400 * day, -2 * day])
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
