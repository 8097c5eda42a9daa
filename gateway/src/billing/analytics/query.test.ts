import { beforeAll, expect, test } from 'bun:test'

import fc from 'fast-check'

import { onBothDatabases } from '../../../test/databases'
import { anEntry } from '../../../test/ledger'
import { createApplyCharges } from '../ledger/charge/apply-charges'
import { chargeRecord } from '../ledger/charge/charge-record'
import type { UsageFilter } from '../../platform/store/usage-conditions'
import { addNextHour } from './add-up'
import { dimensionNames, figures, readSumProgress, spans } from './rollups'
import { addFigures, noFigures, readSums, type SumsQuery, type Sum } from './query'

const { hour, day } = spans
const start = 1_800_000_000 - (1_800_000_000 % day)
const days = 4

/** Deterministic, in no apparent order. */
const mix = (seed: number, max: number) => ((seed * 7919 + seed * seed * 31) % 10_007) % max

const filter: fc.Arbitrary<UsageFilter> = fc.record(
  {
    userId: fc.constantFrom(1, 2, 9),
    tokenName: fc.constantFrom('t0', 't1'),
    modelName: fc.constantFrom('a-1', 'a-%', 'b%0', 'c%'),
    channelId: fc.constantFrom(1, 3),
    group: fc.constantFrom('g0', 'g1'),
  },
  { requiredKeys: [] },
)
const fewFilters = fc.oneof(fc.constant({}), filter)

const anyQuery: fc.Arbitrary<SumsQuery> = fc
  .record({
    filter: fewFilters,
    from: fc.integer({ min: -5, max: days * 24 }),
    length: fc.integer({ min: 1, max: days * 24 }),
    column: fc.option(fc.constantFrom(...dimensionNames), { nil: undefined }),
    keys: fc.option(fc.subarray(['1', '2', '3', 't0', 'a-1', 'b-0', 'g1']), { nil: undefined }),
    parts: fc.option(
      fc.record({ size: fc.constantFrom(hour, day, 7 * day), shift: fc.constantFrom(0, 8 * hour, 5.5 * hour) }),
      { nil: undefined },
    ),
  })
  .map(({ from, length, column, keys, ...rest }) => {
    // Ids are numbers.
    const isName = column !== 'user_id' && column !== 'channel_id'
    const some = keys?.filter((key) => isName || Number.isInteger(Number(key)))
    return {
      ...rest,
      hours: { from: start + from * hour, before: start + (from + length) * hour },
      ...(column && { column, ...(some && { keys: some }) }),
    }
  })

onBothDatabases('what was used', (world) => {
  let calls = 0
  const charge = (count: number) =>
    createApplyCharges(world().database)(
      Array.from({ length: count }, () => {
        calls += 1
        const entry = anEntry({
          createdAt: start + mix(calls + 1, days * 24) * hour + mix(calls, hour),
          modelName: `${mix(calls, 2) === 0 ? 'a' : 'b'}-${mix(calls + 5, 3)}`,
          tokenName: `t${mix(calls + 7, 3)}`,
          group: `g${mix(calls + 11, 2)}`,
          channelId: 1 + mix(calls + 13, 4),
          promptTokens: mix(calls + 17, 900),
        })
        const payer = { userId: 1 + mix(calls + 3, 5), tokenId: 1, isTokenLimited: false }
        const noLease = { userLease: '', tokenLease: '' }
        return chargeRecord(`call-${calls}`, payer, { cost: 1 + mix(calls, 90), isLogged: true, entry }, noLease)
      }),
    )

  beforeAll(async () => {
    await charge(600)
    // Columns are added up to different hours, and late charges leave stale ones.
    for (const [index, column] of dimensionNames.entries()) {
      for (let hours = 0; hours < 20 * (index + 1); hours += 1) {
        await addNextHour(world().database, column, start + days * day)
      }
    }
    await charge(30)
  })

  test('the sums within any filter, by any column and part of time, equal a scan of the log', async () => {
    const logs = await world().database.query.selectFrom('logs').selectAll().execute()
    const progress = await readSumProgress(world().database.query)
    expect(progress.stale.length).toBeGreaterThan(5)
    await fc.assert(
      fc.asyncProperty(anyQuery, async (question) => {
        const found = new Map<string, Sum>()
        for await (const sums of readSums(progress, question)) for (const sum of sums) add(found, sum)
        expect(withCalls(found)).toEqual(withCalls(scan(logs, question)))
      }),
      { numRuns: 30 },
    )
  })

  type Log = {
    created_at: number
    prompt_tokens: number
    completion_tokens: number
    use_time: number
    quota: number
  } & {
    user_id: number
    token_name: string
    model_name: string
    channel_id: number
    group: string
  }

  function scan(
    logs: readonly Log[],
    { filter: usageFilter, hours, column, keys, parts }: SumsQuery,
  ): Map<string, Sum> {
    const found = new Map<string, Sum>()
    for (const log of logs) {
      const at = log.created_at - (log.created_at % hour)
      if (at < hours.from || at >= hours.before || !matches(log, usageFilter)) continue
      const key = column ? String(log[column]) : ''
      if (keys && !keys.includes(key)) continue
      const part = parts ? Math.floor((at + parts.shift) / parts.size) : 0
      const { quota, prompt_tokens, completion_tokens, use_time } = log
      add(found, { key, part, count: 1, errors: 0, quota, prompt_tokens, completion_tokens, use_time })
    }
    return found
  }

  const matches = (log: Log, { userId, tokenName, modelName, channelId, group }: UsageFilter): boolean =>
    (userId === undefined || log.user_id === userId) &&
    (tokenName === undefined || log.token_name === tokenName) &&
    (modelName === undefined || new RegExp(`^${modelName.replaceAll('%', '.*')}$`).test(log.model_name)) &&
    (channelId === undefined || log.channel_id === channelId) &&
    (group === undefined || log.group === group)

  function add(found: Map<string, Sum>, sum: Sum): void {
    const id = `${sum.key} ${sum.part}`
    const known = found.get(id) ?? noFigures
    found.set(id, { key: sum.key, part: sum.part, ...addFigures(known, sum) })
  }

  /** Without a column or parts, no usage is a sum of zeros or no row at all. */
  const withCalls = (found: ReadonlyMap<string, Sum>) =>
    Object.fromEntries(
      [...found].filter(([, sum]) => sum.count > 0).map(([id, sum]) => [id, figures.map((name) => sum[name])]),
    )
})
