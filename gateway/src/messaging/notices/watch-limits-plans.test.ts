import { expect, test } from 'bun:test'

import { sql } from 'kysely'

import { onBothDatabases } from '../../../test/databases'
import { FakeTime } from '../../../test/fake-time'
import { aUser } from '../../../test/ledger'
import { noRests } from '../../../test/pace'
import { recordQueries } from '../../../test/plans'
import { aWindow } from '../../../test/windows'
import type { Context } from '../../context'
import { notifyNearLimits } from './watch-limits'

onBothDatabases('alerts of limits read present periods alone, a part at a time', (world) => {
  test('a part takes two statements, each in an index, however many periods have ended', async () => {
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
    expect(queries).toHaveLength(2 * 3)
    for (const plan of await plans())
      expect(plan.join('\n')).toMatch(
        /window_periods USING (?:COVERING )?INDEX window_periods_in_order|Index.* Scan using window_periods_in_order|Bitmap Index Scan on window_periods_in_order/,
      )
  })
})
