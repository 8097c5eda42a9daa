import { beforeAll, expect, test } from 'bun:test'

import { earningRoutes, readLogDetails, writeLogDetails } from '@tollgate/contract'
import fc from 'fast-check'

import { addNextHour, addStaleHour } from '../../../billing/analytics/add-up'
import { dimensionNames, readSumProgress, spans } from '../../../billing/analytics/rollups'
import { createApplyCharges } from '../../../billing/ledger/charge/apply-charges'
import { chargeRecord } from '../../../billing/ledger/charge/charge-record'
import type { LogRow } from '../../../platform/store/tables'
import type { UsageFilter } from '../../../platform/store/usage-conditions'
import { onBothDatabases } from '../../../../test/databases'
import { anEntry } from '../../../../test/ledger'
import { addUpHours } from '../../../../test/sums'
import { bucketsOf } from '../chart-query'
import { earningRows } from './earning-rows'
import { addEarnings, noEarnings } from './earning-sums'
import { findEarnings, type EarningsQuery } from './read-earnings'

type Sums = earningRoutes.EarningSums

const { hour, day } = spans
const start = 1_800_000_000 - (1_800_000_000 % day)
const days = 4

/** Deterministic, in no apparent order. */
const mix = (seed: number, max: number) => ((seed * 7919 + seed * seed * 31) % 10_007) % max

const filters: fc.Arbitrary<UsageFilter> = fc.record(
  {
    channelId: fc.constantFrom(1, 3),
    modelName: fc.constantFrom('a-1', 'a-%'),
    group: fc.constantFrom('g0', 'g1'),
    userId: fc.constantFrom(1, 2, 9),
  },
  { requiredKeys: [] },
)

const anyQuery: fc.Arbitrary<EarningsQuery> = fc
  .record({
    filter: fc.oneof(fc.constant<UsageFilter>({}), filters),
    key: fc.option(fc.constantFrom('k0', 'k2', ''), { nil: undefined }),
    grouping: fc.constantFrom(...earningRoutes.earningGroupings),
    from: fc.integer({ min: -5, max: days * 24 }),
    length: fc.integer({ min: 1, max: days * 24 }),
    step: fc.constantFrom('hour', 'day', 'week'),
    utcOffset: fc.constantFrom(0, 480, -330),
  })
  .map(({ from, length, step, utcOffset, filter, key, ...rest }) => {
    const span = { from: start + from * hour, before: start + (from + length) * hour }
    const ofKey = rest.grouping === 'key' || rest.grouping === 'time' ? key : undefined
    const isByKey = rest.grouping === 'key' || ofKey !== undefined
    return {
      ...rest,
      span,
      buckets: bucketsOf(span, step, utcOffset),
      // Sums of upstream keys have no filter but the channel.
      filter: isByKey ? { channelId: filter.channelId } : filter,
      key: ofKey,
    }
  })

onBothDatabases('earnings', (world) => {
  let calls = 0
  /** Some have no known cost, some were given for nothing, some are read from a cache. */
  const charge = (count: number) =>
    createApplyCharges(world().database)(
      Array.from({ length: count }, () => {
        calls += 1
        const vendorCost = mix(calls + 2, 3) === 0 ? undefined : mix(calls + 19, 120)
        const cachedTokens = mix(calls + 23, 4) === 0 ? mix(calls + 29, 100) : 0
        const vendorSaved = vendorCost !== undefined && cachedTokens > 0 ? mix(calls + 31, 50) : undefined
        const upstreamKey = `k${mix(calls + 37, 3)}`
        const entry = anEntry({
          createdAt: start + mix(calls + 1, days * 24) * hour + mix(calls, hour),
          modelName: `${mix(calls, 2) === 0 ? 'a' : 'b'}-${mix(calls + 5, 3)}`,
          group: `g${mix(calls + 11, 2)}`,
          channelId: 1 + mix(calls + 13, 4),
          promptTokens: 100 + mix(calls + 17, 900),
          vendorCost,
          vendorSaved,
          upstreamKey: upstreamKey === 'k1' ? undefined : upstreamKey,
          measures: { wholeMs: 5, firstTokenMs: null, cachedTokens, cacheSaved: 0 },
          other: writeLogDetails({
            cache_tokens: cachedTokens,
            admin_info: {
              cost: vendorCost,
              cost_saved: vendorSaved,
              attempts:
                upstreamKey === 'k1'
                  ? []
                  : [
                      { channel: 1, key: 'failed' },
                      { channel: 1, key: upstreamKey },
                    ],
            },
          }),
        })
        const payer = { userId: 1 + mix(calls + 3, 5), tokenId: 1, isTokenLimited: false }
        const cost = mix(calls + 41, 5) === 0 ? 0 : 1 + mix(calls, 90)
        return chargeRecord(`call-${calls}`, payer, { cost, isLogged: true, entry }, { userLease: '', tokenLease: '' })
      }),
    )

  /** Adds up what was charged so far, by each column to another hour, so that later charges are late. */
  async function addUpSome(): Promise<void> {
    for (const [index, column] of dimensionNames.entries()) {
      for (let hours = 0; hours < 20 * (index + 1); hours += 1)
        await addNextHour(world().database, column, start + days * day)
    }
  }

  beforeAll(async () => {
    await charge(200)
    await addUpSome()
    await charge(30)
  })

  const expectLog = async (numRuns: number) => {
    const logs = await world().database.query.selectFrom('logs').selectAll().execute()
    await fc.assert(
      fc.asyncProperty(anyQuery, async (question) => {
        const found = await findEarnings(world().database.query, question)
        const expected = scan(logs, question)
        expect(found.totals).toEqual(expected.totals)
        expect(found.byTime).toEqual(expected.byTime)
        expect(withCalls(found.byKey)).toEqual(withCalls(expected.byKey))
        const order = { grouping: question.grouping, sort: 'margin', isDescending: true } as const
        const { rows, rest } = await earningRows(world().database.query, found, order, 3)
        expect([...rows, ...(rest ? [rest] : [])].reduce<Sums>(addEarnings, noEarnings)).toEqual(expected.totals)
      }),
      { numRuns },
    )
  }

  test('earnings in any range, by any grouping and within any filter equal a scan of the log, with late charges that wait to be added up', async () => {
    expect((await readSumProgress(world().database.query)).stale.length).toBeGreaterThan(5)
    await expectLog(12)
  })

  test('earnings are the same once everything is added up', async () => {
    while (await addStaleHour(world().database));
    await addUpHours(world().database, start + days * day)
    await expectLog(10)
  })

  function scan(logs: readonly LogRow[], { filter, key, grouping, span, buckets }: EarningsQuery) {
    let totals = noEarnings
    const byTime = buckets.times.map(() => noEarnings)
    const byKey = new Map<string, Sums>()
    for (const log of logs) {
      const details = readLogDetails(log.other)
      const upstreamKey = details.admin_info?.attempts.at(-1)?.key ?? ''
      const at = log.created_at - (log.created_at % hour)
      const matches =
        at >= span.from &&
        at < span.before &&
        (key === undefined || upstreamKey === key) &&
        (filter.channelId === undefined || log.channel_id === filter.channelId) &&
        (filter.group === undefined || log.group === filter.group) &&
        (filter.userId === undefined || log.user_id === filter.userId) &&
        (filter.modelName === undefined || new RegExp(`^${filter.modelName.replace('%', '.*')}$`).test(log.model_name))
      if (!matches) continue
      const cost = details.admin_info?.cost
      const one: Sums = {
        count: 1,
        quota: log.quota,
        sold: cost === undefined ? 0 : log.quota,
        cost: cost ?? 0,
        unpriced: cost === undefined ? 1 : 0,
        prompt_tokens: log.prompt_tokens,
        cached_tokens: details.cache_tokens,
        saved: details.admin_info?.cost_saved ?? 0,
      }
      const part = Math.floor((at + buckets.shift) / buckets.size) - buckets.first
      const value = {
        time: String(buckets.times[part]),
        channel: String(log.channel_id),
        key: `${log.channel_id}:${upstreamKey}`,
        model: log.model_name,
        group: log.group,
        user: String(log.user_id),
      }[grouping]
      totals = addEarnings(totals, one)
      byTime[part] = addEarnings(byTime[part] ?? noEarnings, one)
      byKey.set(value, addEarnings(byKey.get(value) ?? noEarnings, one))
    }
    return { totals, byTime, byKey }
  }

  const withCalls = (sums: ReadonlyMap<string, Sums>) =>
    Object.fromEntries([...sums].filter(([, { count }]) => count > 0))
})
