import { expect, test } from 'bun:test'

import { anAccount } from '../../../test/console-client'
import { WallClock } from '../../../test/fake-time'
import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld } from '../../../test/world'
import { rollUpUsage } from '../../app/jobs/fold-usage'
import { reportUnusualSpending } from './unusual-spending'

const day = 86_400
const now = Date.parse('2026-03-31T12:30:00Z')
const { signal } = new AbortController()

test.each(kinds)(
  'a user who spends a multiple of their daily mean is reported, and a new, a small and a steady one are not (%s)',
  async (kind) => {
    const clock = new WallClock(now)
    await using world = await createWorld({ kind, clock })
    const { ctx } = world
    const { query } = ctx.database
    const aUser = async (username: string, ageDays: number) => {
      const { id } = await anAccount(ctx, { username })
      await query
        .updateTable('users')
        .set({ created_at: now / 1000 - ageDays * day })
        .where('id', '=', id)
        .execute()
      return id
    }
    const spend = (userId: number, daysAgo: number, quota: number) =>
      query
        .insertInto('rollups')
        .values({
          hour: Math.floor((now / 1000 - daysAgo * day) / 3600) * 3600,
          user_id: userId,
          token_name: '',
          model_name: 'm',
          channel_id: 1,
          group: 'default',
          count: 1,
          errors: 0,
          quota,
          prompt_tokens: 1,
          completion_tokens: 1,
          use_time: 1,
        })
        .execute()
    await setOptionsIn(ctx, { UnusualSpendingFactor: '3', UnusualSpendingMinimum: '1000000' })
    const [burst, forgotten, steady, small, fresh] = [
      await aUser('burst', 100),
      await aUser('forgotten', 100),
      await aUser('steady', 100),
      await aUser('small', 100),
      await aUser('fresh', 2),
    ]
    // 14 days at 500,000: a daily mean of that.
    for (let daysAgo = 1.5; daysAgo < 15; daysAgo += 1) {
      await spend(burst, daysAgo, 500_000)
      await spend(steady, daysAgo, 500_000)
    }
    await spend(burst, 0, 1_000_000)
    await spend(burst, 0.9, 500_001)
    await spend(steady, 0, 1_500_000)
    await spend(forgotten, 0.5, 1_000_000)
    await spend(forgotten, 20, 9_000_000)
    await spend(small, 0, 999_999)
    await spend(fresh, 0, 5_000_000)
    const reportAndRead = async () => {
      await reportUnusualSpending(ctx)
      const rows = await query.selectFrom('operator_events').select(['kind', 'facts']).orderBy('facts').execute()
      return rows.map((row) => [row.kind, JSON.parse(row.facts)])
    }
    const both = [
      ['unusual-spending', { name: 'burst', spent: '$3.00', usual: '$1.00' }],
      ['unusual-spending', { name: 'forgotten', spent: '$2.00', usual: '$0.0000' }],
    ]
    expect(await reportAndRead()).toEqual(both)
    await rollUpUsage(ctx).run(signal)
    expect(await reportAndRead()).toEqual(both)
  },
)
