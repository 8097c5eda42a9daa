import { expect, test } from 'bun:test'

import { sql } from 'kysely'

import { onBothDatabases } from '../../../test/databases'
import { FakeTime } from '../../../test/fake-time'
import { aUser } from '../../../test/ledger'
import { noRests } from '../../../test/pace'
import { recordQueries, wholeReads } from '../../../test/plans'
import { aWindow } from '../../../test/windows'
import type { Context } from '../../context'
import { notifyNearLimits } from './watch-limits'

onBothDatabases('alerts of limits read present periods alone, a part at a time', (world) => {
  test('a part takes three statements at most, however many periods have ended and however many end together', async () => {
    const { query: plain, kind } = world().database
    const clock = new FakeTime()
    const now = clock.seconds()
    const { id } = await aWindow(world().database, await aUser(world().database, 1), { alert_percents: '50' })
    const periods = (count: number, ends_at: number) =>
      Array.from({ length: count }, (_, index) => ({
        window_id: id,
        subject_id: index,
        starts_at: ends_at - 100,
        ends_at,
        capacity: 100,
        free: 100,
      }))
    await plain
      .insertInto('window_periods')
      .values([...periods(60, now + 50), ...periods(300, now), ...periods(300, now - 100)])
      .execute()
    if (kind === 'postgres') await sql`vacuum analyze window_periods`.execute(plain)
    const { query, plans, queries } = recordQueries(world().database)
    const ctx = { clock, database: { ...world().database, query } } as unknown as Context
    await notifyNearLimits(ctx, noRests(25), new AbortController().signal)
    // The first two parts of a day end together, and the last one reads on to later ends.
    expect(queries).toHaveLength(3 + 2 + 3)
    const read = await plans()
    for (const plan of read) expect(wholeReads(plan, 'window_periods')).toBe(0)
    // Those that end together are found by their id as well, not from the first of them on.
    const second = read[3]?.join('\n')
    expect(second).toMatch(
      /window_periods_in_order \(ends_at=\? AND id>\?\)|Index Cond: \(\(ends_at = .+\) AND \(id > /,
    )
  })
})
