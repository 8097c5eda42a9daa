import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { onBothDatabases } from '../../../test/databases'
import { anEntry } from '../../../test/ledger'
import { noRests } from '../../../test/pace'
import { channelHealth } from '../../console-api/dashboard/channel-health'
import { consumption } from '../../console-api/dashboard/consumption'
import { logStat } from '../../billing/usage-log/log-stat'
import { createApplyCharges } from '../../billing/ledger/charge/apply-charges'
import { chargeRecord } from '../../billing/ledger/charge/charge-record'
import { Metrics } from '../../platform/telemetry/metrics/metrics'
import { dimensionNames, readSumProgress } from '../../billing/analytics/rollups'
import { rollUpUsage } from './fold-usage'
import { FakeTime } from '../../../test/fake-time'

setDefaultTimeout(400_000)

const hour = 3600
const start = 1_800_000_000 - (1_800_000_000 % 604_800) - 86_400
/** The last day of a week, three days of another, and some hours. */
const hours = 24 * 4 + 3
/** Calls are made every third hour. */
const hourOf = (call: number) => start + (call % 33) * 3 * hour
const span = { from: start + 3 * hour, before: start + hours * hour }
const now = span.before + 2 * hour

/** Deterministic, in no apparent order. */
const pseudoRandom = (seed: number, max: number) => ((seed * 7919 + seed * seed * 31) % 10_007) % max

const filters = {
  nothing: {},
  'a model': { modelName: 'a-1' },
  'a pattern': { modelName: 'a-%' },
  'a pattern of all': { modelName: '%-%' },
  'a pattern of nothing': { modelName: 'c%' },
  'a key': { tokenName: 't1' },
  'a channel': { channelId: 2 },
  'a channel and a model': { channelId: 2, modelName: 'b-0' },
  'a key and a pattern': { tokenName: 't0', modelName: 'b%' },
  'three things': { tokenName: 't0', modelName: 'a%', channelId: 1 },
} as const
const charts = [
  ['day', 0],
  ['day', 480],
  ['day', 330],
  ['week', 480],
  ['hour', 0],
] as const
const groupings = ['model', 'token', 'group', 'channel', 'user'] as const
const groupFilters = {
  'a pattern and a group': { modelName: 'a-%', group: 'g0' },
  'a key and a group': { tokenName: 't1', group: 'g1' },
  'a channel and a group': { channelId: 3, group: 'g1' },
} as const

onBothDatabases('an answer of charts and sums', (world) => {
  let calls = 0
  const charge = (count: number, at: (index: number) => number) =>
    createApplyCharges(world().database)(
      Array.from({ length: count }, () => {
        calls += 1
        const entry = anEntry({
          createdAt: at(calls),
          modelName: `${pseudoRandom(calls, 2) === 0 ? 'a' : 'b'}-${pseudoRandom(calls + 5, 3)}`,
          tokenName: `t${pseudoRandom(calls + 7, 3)}`,
          group: `g${pseudoRandom(calls + 11, 2)}`,
          channelId: 1 + pseudoRandom(calls + 13, 4),
        })
        const payer = { userId: 1 + pseudoRandom(calls + 3, 5), tokenId: 1, isTokenLimited: false }
        const noLease = { userLease: '', tokenLease: '' }
        return chargeRecord(
          `call-${calls}`,
          payer,
          { cost: 1 + pseudoRandom(calls, 90), isLogged: true, entry },
          noLease,
        )
      }),
    )

  async function rollUp(at: number) {
    const deps = { database: world().database, ...new FakeTime(at * 1000).parts }
    await rollUpUsage({ ...deps, metrics: new Metrics() }, () => noRests()).run(new AbortController().signal)
  }

  /** Resolves with every sum, and with every second chart of a filter and a series, in turns. */
  async function readSumsAndCharts() {
    const { query } = world().database
    const all: Record<string, unknown> = {}
    let turn = 0
    for (const [row, [name, filter]] of Object.entries(filters).entries()) {
      turn += 1
      for (const [column, grouping] of groupings.entries()) {
        turn += 1
        if ((row + column) % 2 > 0) continue
        const [granularity, utcOffset] = charts[turn % charts.length] ?? charts[0]
        const chartQuery = { filter, span, granularity, utcOffset, grouping, limit: 2 }
        all[`${name} by ${grouping}, ${granularity}, ${utcOffset}`] = await consumption(query, chartQuery)
      }
    }
    all['health of channels'] = await channelHealth(query, { from: span.before - 7 * 24 * hour, before: span.before })
    for (const [name, filter] of Object.entries({ ...filters, ...groupFilters })) {
      const stat = await logStat(query, { ...filter, from: span.from + 1800, to: span.before - 900 }, now)
      all[`sum of ${name}`] = stat
      all[`sum of ${name}, all time`] = await logStat(query, filter, now)
    }
    return all
  }

  const untils = async () => {
    const { until } = await readSumProgress(world().database.query)
    return [...new Set(dimensionNames.map(until))]
  }
  const untilHour = (count: number) => [start + count * hour]

  beforeAll(() => charge(1500, (call) => hourOf(call) + pseudoRandom(call, hour)))

  test('charts are the same before and after hours are added up, with late charges, and once stale hours are added up again', async () => {
    const { query } = world().database
    const staleHours = () => query.selectFrom('stale_hours').selectAll().execute()
    const before = await readSumsAndCharts()
    expect(await untils()).toEqual([0])
    await rollUp(start + (hours - 15) * hour)
    expect(await untils()).toEqual(untilHour(82))
    expect(await readSumsAndCharts()).toEqual(before)

    await charge(300, (call) => hourOf(call) + 60)
    expect((await staleHours()).length).toBeGreaterThan(20)
    const late = await readSumsAndCharts()
    expect(late).not.toEqual(before)
    await rollUp(start + (hours + 2) * hour)
    expect(await staleHours()).toEqual([])
    expect(await untils()).toEqual(untilHour(97))
    expect(await readSumsAndCharts()).toEqual(late)
    await query.updateTable('sum_progress').set({ until: 0 }).execute()
    expect(await readSumsAndCharts()).toEqual(late)
  })
})
