import { expect, test } from 'bun:test'

import { WallClock } from '../../../test/fake-time'
import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld } from '../../../test/world'
import { rollUpUsage } from '../../app/jobs/fold-usage'
import { reportLowMargins } from './low-margins'

const now = Date.parse('2026-03-31T12:30:00Z')
const { signal } = new AbortController()

test.each(kinds)(
  'a channel and a model that earn less than the floor are reported; unknown costs, small sales and past days are not (%s)',
  async (kind) => {
    await using world = await createWorld({ kind, clock: new WallClock(now) })
    const { ctx } = world
    const { query } = ctx.database
    const sell = (
      channel_id: number,
      model_name: string,
      [sold, vendor_cost]: readonly [number, number],
      hoursAgo = 1,
    ) =>
      query
        .insertInto('rollups')
        .values({
          hour: Math.floor((now / 1000 - hoursAgo * 3600) / 3600) * 3600,
          user_id: 1,
          token_name: '',
          model_name,
          channel_id,
          group: 'default',
          count: 1,
          errors: 0,
          quota: sold,
          prompt_tokens: 1,
          completion_tokens: 1,
          use_time: 1,
          sold,
          vendor_cost,
        })
        .execute()
    await setOptionsIn(ctx, { LowMarginPercent: '10', LowMarginMinimum: '1000000' })
    await sell(1, 'lossy', [2_000_000, 2_400_000])
    await sell(2, 'thin', [1_000_000, 905_000])
    await sell(3, 'fine', [1_000_000, 900_000])
    await sell(4, 'small', [999_999, 2_000_000])
    await sell(5, 'unknown', [0, 0])
    await sell(3, 'past', [5_000_000, 9_000_000], 25)
    const reportAndRead = async () => {
      await reportLowMargins(ctx)
      const rows = await query.selectFrom('operator_events').select(['subject', 'facts']).orderBy('subject').execute()
      return rows.map(({ subject, facts }) => [subject, JSON.parse(facts)])
    }
    const ofLossy = { sold: '$4.00', cost: '$4.80', margin: '-20 %', floor: '10 %' }
    const ofThin = { sold: '$2.00', cost: '$1.81', margin: '9.5 %', floor: '10 %' }
    const reported = [
      ['channel:1', { name: '#1', ...ofLossy }],
      ['channel:2', { name: '#2', ...ofThin }],
      ['model:lossy', { name: 'lossy', ...ofLossy }],
      ['model:thin', { name: 'thin', ...ofThin }],
    ]
    expect(await reportAndRead()).toEqual(reported)
    await rollUpUsage(ctx).run(signal)
    expect(await reportAndRead()).toEqual(reported)
  },
  120_000,
)
