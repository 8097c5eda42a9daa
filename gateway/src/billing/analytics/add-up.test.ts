import { expect, test } from 'bun:test'

import { sql } from 'kysely'

import { createClock } from '../../platform/time/clock'
import { onBothDatabases } from '../../../test/databases'
import { anEntry } from '../../../test/ledger'
import { noRests } from '../../../test/pace'
import { addUpHours } from '../../../test/sums'
import { createAddToRollups } from '../ledger/charge/charge-statements'
import { createApplyCharges } from '../ledger/charge/apply-charges'
import { chargeRecord } from '../ledger/charge/charge-record'
import { errorRollupRows } from '../ledger/charge/log-rows'
import { rollUpUsage } from '../../app/jobs/fold-usage'
import { Metrics } from '../../platform/telemetry/metrics/metrics'
import { addNextHour, addStaleHour } from './add-up'
import { dimensionNames, dimensions, figures, marginFigures, spans, type DimensionName } from './rollups'
import { systemTimers } from '../../platform/time/timers'

const hour = 3600
const start = 1_800_000_000 - (1_800_000_000 % 86_400)

onBothDatabases('the sums by column', (world, once) => {
  let calls = 0
  /** Returns this many charges, one per second from there on, of few distinct values. */
  const chargesFrom = (from: number, count: number, step = 1) =>
    Array.from({ length: count }, (_, index) => {
      const createdAt = from + index * step
      calls += 1
      const entry = anEntry({
        createdAt,
        modelName: `m${index % 3}`,
        tokenName: `t${index % 2}`,
        group: `g${index % 2}`,
        channelId: index % 4,
        promptTokens: index,
        vendorCost: index % 3 === 0 ? undefined : index,
      })
      const payer = { userId: 1 + (index % 5), tokenId: 1, isTokenLimited: false }
      const noLease = { userLease: '', tokenLease: '' }
      return chargeRecord(`call-${calls}`, payer, { cost: index + 1, isLogged: false, entry }, noLease)
    })
  const apply = (records: ReturnType<typeof chargesFrom>) => createApplyCharges(world().database)(records)

  /** Resolves with every figure by hour or day and value: from the hourly rollups, up to where a column is rolled up, and from the sums. */
  async function books(name: DimensionName, table: 'hourly_sums' | 'daily_sums') {
    const number = sql.lit(dimensions[name])
    const span = sql.lit(table === 'hourly_sums' ? spans.hour : spans.day)
    const sums = sql.join(
      [...figures, ...marginFigures].map((figure) => sql`sum(${sql.ref(figure)}) as ${sql.ref(figure)}`),
    )
    const { rows: expected } =
      await sql`select hour - hour % ${span} as start, cast(${sql.ref(name)} as text) as key, ${sums}
      from rollups where hour < (select until from sum_progress where dimension = ${number})
      group by 1, 2 order by 1, 2`.execute(world().database.query)
    const { rows: found } =
      await sql`select start, key, ${sql.join([...figures, ...marginFigures].map((figure) => sql.ref(figure)))}
      from ${sql.table(table)} where dimension = ${number} order by 1, 2`.execute(world().database.query)
    return { expected, found }
  }

  async function expectEqualBooks() {
    for (const name of dimensionNames) {
      for (const table of ['hourly_sums', 'daily_sums'] as const) {
        const { expected, found } = await books(name, table)
        expect(found).toEqual(expected)
        expect(found.length).toBeGreaterThan(0)
      }
    }
  }

  const addUp = async (before: number) => {
    while (await addStaleHour(world().database));
    await addUpHours(world().database, before)
  }

  async function untils() {
    const progress = await world().database.query.selectFrom('sum_progress').select('until').distinct().execute()
    return progress.map(({ until }) => until).toSorted((one, other) => other - one)
  }

  once('sums equal those of the hours that are over, by hour and day', async () => {
    await apply(chargesFrom(start, 200, 600))
    await addUp(start + 30 * hour)
    await expectEqualBooks()
    expect(await untils()).toEqual([start + 30 * hour])
  })

  once(
    'sums include late charges and failures once stale hours are added up again, even if one column is further than another',
    async () => {
      await apply(chargesFrom(start + 36 * hour, 30))
      await addNextHour(world().database, 'model_name', start + 40 * hour)
      await apply(chargesFrom(start - 5 * hour, 70, 500))
      await apply(chargesFrom(start + 36 * hour, 30))
      await world()
        .database.query.transaction()
        .execute(async (transaction) => {
          const errors = errorRollupRows([anEntry({ createdAt: start + hour, channelId: 9 })])
          await createAddToRollups(world().database)(transaction, errors)
        })
      while (await addStaleHour(world().database));
      await expectEqualBooks()
    },
  )

  test('sums stay equal while charges and jobs run at the same time', async () => {
    const first = start + 48 * hour
    // Each side runs one by one: more at once would wait longer for a connection than the pool allows.
    const charging = [0, 1, 2].map(async (side) => {
      for (let batch = side; batch < 30; batch += 3) await apply(chargesFrom(first + (batch % 6) * hour, 20, 120))
    })
    const adding = [0, 1, 2].map(async (side) => {
      for (let round = side; round < 8; round += 1) {
        await addStaleHour(world().database)
        for (const column of dimensionNames) await addNextHour(world().database, column, first + 5 * hour)
      }
    })
    await Promise.all([...charging, ...adding])
    await addUp(first + 6 * hour)
    await expectEqualBooks()
  })

  test('a job adds up sums once an hour has settled', async () => {
    const clock = createClock(
      () => (start + 60 * hour + 599) * 1000,
      () => 0,
    )
    const job = (now: () => number) =>
      rollUpUsage(
        {
          database: world().database,
          clock: createClock(now, () => 0),
          timers: systemTimers,
          metrics: new Metrics(),
        },
        () => noRests(),
      )
    await apply(chargesFrom(start + 59 * hour, 5))
    const { signal } = new AbortController()
    await job(() => clock.now()).run(signal)
    expect(await untils()).toEqual([start + 54 * hour])
    await job(() => clock.now() + 2000).run(signal)
    expect(await untils()).toEqual([start + 60 * hour])
    await expectEqualBooks()
  })
})
