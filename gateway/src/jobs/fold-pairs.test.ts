import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { onBothDatabases } from '../../test/databases'
import { anEntry } from '../../test/ledger'
import { noRests } from '../../test/pace'
import { consumption } from '../features/dashboard/consumption'
import { logStat } from '../features/logs/log-stat'
import { createApplyCharges } from '../ledger/apply-charges'
import { chargeRecord } from '../ledger/charge-record'
import { createMetrics } from '../metrics/metrics'
import { pairs } from '../usage-sums/pairs'
import { pairUntil } from '../usage-sums/read-pairs'
import { foldUsage } from './fold-usage'

setDefaultTimeout(60_000)

const hour = 3600
const start = 1_800_000_000 - (1_800_000_000 % 86_400)
const hours = 75
const span = { from: start + 3 * hour, before: start + hours * hour }
const now = span.before + 2 * hour

/** The same in every run, and without order. */
const mixed = (seed: number, most: number) => ((seed * 7919 + seed * seed * 31) % 10_007) % most

const filters = {
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
const groupFilters = {
  'a pattern and a group': { modelName: 'a-%', group: 'g0' },
  'a key and a group': { tokenName: 't1', group: 'g1' },
  'a channel and a group': { channelId: 3, group: 'g1' },
} as const

onBothDatabases('what is asked of two columns', (world) => {
  let calls = 0
  const charge = (count: number, at: (index: number) => number) =>
    createApplyCharges(world().database)(
      Array.from({ length: count }, () => {
        calls += 1
        const entry = anEntry({
          createdAt: at(calls),
          modelName: `${mixed(calls, 2) === 0 ? 'a' : 'b'}-${mixed(calls + 5, 3)}`,
          tokenName: `t${mixed(calls + 7, 3)}`,
          group: `g${mixed(calls + 11, 2)}`,
          channelId: 1 + mixed(calls + 13, 4),
        })
        const payer = { userId: 1 + mixed(calls + 3, 5), tokenId: 1, isTokenLimited: false }
        const noLease = { userLease: '', tokenLease: '' }
        return chargeRecord(`call-${calls}`, payer, { cost: 1 + mixed(calls, 90), isLogged: true, entry }, noLease)
      }),
    )

  async function fold(at: number) {
    const parts = { database: world().database, clock: { now: () => at * 1000, monotonic: () => 0 } }
    await foldUsage({ ...parts, metrics: createMetrics() }, () => noRests()).run(new AbortController().signal)
  }

  /** Every chart and every sum. */
  async function answers() {
    const { query } = world().database
    const all: Record<string, unknown> = {}
    for (const [name, filter] of Object.entries(filters)) {
      for (const grouping of ['model', 'token', 'group', 'channel', 'user'] as const) {
        for (const [granularity, utcOffset] of charts) {
          const asked = { filter, span, granularity, utcOffset, grouping, limit: 2 }
          all[`${name} by ${grouping}, ${granularity}, ${utcOffset}`] = await consumption(query, asked)
        }
      }
    }
    for (const [name, filter] of Object.entries({ ...filters, ...groupFilters })) {
      const stat = await logStat(query, { ...filter, from: span.from + 1800, to: span.before - 900 }, now)
      all[`sum of ${name}`] = stat
      all[`sum of ${name}, all time`] = await logStat(query, filter, now)
    }
    return all
  }

  const untils = () => Promise.all(pairs.map((pair) => pairUntil(world().database.query, pair)))

  beforeAll(() => charge(1500, (call) => start + (call % hours) * hour + mixed(call, hour)))

  test('is the same before and after it is added up, and with charges that come late', async () => {
    const before = await answers()
    expect(await untils()).toEqual(pairs.map(() => 0))
    await fold(start + 60 * hour)
    expect(await untils()).toEqual(pairs.map(() => start + 59 * hour))
    expect(await answers()).toEqual(before)

    await charge(300, (call) => start + (call % hours) * hour + 60)
    const late = await answers()
    expect(late).not.toEqual(before)
    await world().database.query.updateTable('usage_folds').set({ until: 0 }).where('dimension', '>', 9).execute()
    expect(await answers()).toEqual(late)
    await fold(start + (hours + 2) * hour)
    expect(await untils()).toEqual(pairs.map(() => start + hours * hour))
    expect(await answers()).toEqual(late)
  })

  test('is read from the hourly sums while an earlier release charges beside, and begins anew afterwards', async () => {
    const { query } = world().database
    const expected = await answers()
    await query.insertInto('workers').values({ id: 'old', node_id: 'n', started_at: 1, heartbeat_at: 1 }).execute()
    expect(await untils()).toEqual(pairs.map(() => 0))
    expect(await answers()).toEqual(expected)
    await fold(start + (hours + 2) * hour)
    await query.deleteFrom('workers').execute()
    expect(await untils()).toEqual(pairs.map(() => 0))
    await fold(start + (hours + 2) * hour)
    expect(await untils()).toEqual(pairs.map(() => start + hours * hour))
    expect(await answers()).toEqual(expected)
  })
})
