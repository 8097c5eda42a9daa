import { expect, test } from 'bun:test'

import { sql } from 'kysely'

import { onBothDatabases } from '../../test/databases'
import { anEntry } from '../../test/ledger'
import { noRests } from '../../test/pace'
import { createAddToRollups } from '../ledger/add-to-rollups'
import { createApplyCharges } from '../ledger/apply-charges'
import { chargeRecord } from '../ledger/charge-record'
import { errorRollupRows } from '../ledger/log-rows'
import { foldUsage } from '../jobs/fold-usage'
import { createMetrics } from '../metrics/metrics'
import { dimensionNames, dimensions, figures, spans, type DimensionName } from './dimensions'
import { everyFold } from './every-fold'
import { foldNext } from './fold'
import { longSums } from './long-sums'
import { pairs, pairSpans, type Pair } from './pairs'
import { userPacks, type UserPack } from './user-packs'
import { readRecords } from './user-records'

const hour = 3600
const start = 1_800_000_000 - (1_800_000_000 % 86_400)

onBothDatabases('the sums by column', (world) => {
  let calls = 0
  /** Charges of so many calls, one each second from there on, of few values each. */
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
      })
      const payer = { userId: 1 + (index % 5), tokenId: 1, isTokenLimited: false }
      const noLease = { userLease: '', tokenLease: '' }
      return chargeRecord(`call-${calls}`, payer, { cost: index + 1, isLogged: false, entry }, noLease)
    })
  const apply = (records: ReturnType<typeof chargesFrom>) => createApplyCharges(world().database)(records)

  /** Every figure by hour or day and value: as the hourly sums have them up to where a column is added up, and as the sums. */
  async function books(name: DimensionName, span: number, number: number = dimensions[name]) {
    const column = sql.ref(name)
    const sums = sql.join(figures.map((figure) => sql`sum(${sql.ref(figure)}) as ${sql.ref(figure)}`))
    const { rows: expected } =
      await sql`select hour - hour % ${sql.lit(span)} as start, cast(${column} as text) as key, ${sums}
      from rollups where hour < (select until from usage_folds where dimension = ${number})
      group by 1, 2 order by 1, 2`.execute(world().database.query)
    const { rows: found } = await sql`select start, key, ${sql.join(figures.map((figure) => sql.ref(figure)))}
      from usage_sums where dimension = ${number} and span = ${span} order by 1, 2`.execute(world().database.query)
    return { expected, found }
  }

  /** The same of a pair of columns. */
  async function pairBooks({ one, other, ...pair }: Pair, span: number, number = pair.number) {
    const [first, second] = [sql.ref(one), sql.ref(other)]
    const sums = sql.join(figures.map((figure) => sql`sum(${sql.ref(figure)}) as ${sql.ref(figure)}`))
    const { rows: expected } =
      await sql`select hour - hour % ${sql.lit(span)} as start, cast(${first} as text) as one, cast(${second} as text) as other, ${sums}
      from rollups where hour < (select until from usage_folds where dimension = ${number})
      group by 1, 2, 3 order by 1, 2, 3`.execute(world().database.query)
    const { rows: found } = await sql`select start, one, other, ${sql.join(figures.map((figure) => sql.ref(figure)))}
      from usage_pairs where pair = ${number} and span = ${span} order by 1, 2, 3`.execute(world().database.query)
    return { expected, found }
  }

  /** And of the users within each value of a column. */
  async function packBooks({ number, column, span }: UserPack) {
    const { rows: expected } = await sql<Record<string, unknown>>`select hour - hour % ${sql.lit(span)} as start,
        cast(${sql.ref(column)} as text) as value, user_id as "user", ${sql.join(figures.map((figure) => sql`sum(${sql.ref(figure)}) as ${sql.ref(figure)}`))}
      from rollups where hour < (select until from usage_folds where dimension = ${number})
      group by 1, 2, 3`.execute(world().database.query)
    const packs = await world()
      .database.query.selectFrom('usage_packs')
      .selectAll()
      .where('pack', '=', number)
      .execute()
    const sums = new Map<string, Record<string, unknown>>()
    for (const { value, day, records } of packs) {
      readRecords(records, day, (at, user, amounts) => {
        const known = sums.get(`${at} ${value} ${user}`)
        const added = figures.map((figure, place) => [figure, Number(known?.[figure] ?? 0) + (amounts[place] ?? 0)])
        sums.set(`${at} ${value} ${user}`, { start: at, value, user, ...Object.fromEntries(added) })
      })
    }
    const sorted = (rows: readonly Record<string, unknown>[]) =>
      rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
    return { expected: sorted(expected.map((row) => ({ ...row }))), found: sorted([...sums.values()]) }
  }

  async function expectEqualBooks() {
    for (const pack of userPacks) {
      const { expected, found } = await packBooks(pack)
      expect(found).toEqual(expected)
      expect(found.length).toBeGreaterThan(0)
    }
    for (const pair of pairs) {
      for (const span of Object.values(pairSpans)) {
        const { expected, found } = await pairBooks(pair, span)
        expect(found).toEqual(expected)
        expect(found.length).toBeGreaterThan(0)
      }
    }
    for (const long of longSums) {
      for (const span of long.spans) {
        const { expected, found } =
          'pair' in long ? await pairBooks(long.pair, span, long.number) : await books(long.column, span, long.number)
        expect(found).toEqual(expected)
        expect(found.length).toBeGreaterThan(0)
      }
    }
    for (const name of dimensionNames) {
      for (const span of [spans.hour, spans.day]) {
        const { expected, found } = await books(name, span)
        expect(found).toEqual(expected)
        expect(found.length).toBeGreaterThan(0)
      }
    }
  }

  const foldAll = async (before: number) => {
    for (const fold of everyFold) while (await foldNext(world().database, fold, before));
  }

  /** How far the sums are, and those of longer times. */
  async function untils() {
    const folds = await world().database.query.selectFrom('usage_folds').select('until').distinct().execute()
    return folds.map(({ until }) => until).toSorted((one, other) => other - one)
  }

  test('are those of the hours that are over, by hour, day and longer times', async () => {
    await apply(chargesFrom(start, 200, 600))
    await foldAll(start + 30 * hour)
    await expectEqualBooks()
    expect(await untils()).toEqual([start + 30 * hour, start + 24 * hour])
  })

  test('hold what was charged late, and failures, though one column is further than another', async () => {
    await apply(chargesFrom(start + 36 * hour, 30))
    const further = [
      dimensions.model_name,
      ...[...pairs.slice(0, 3), ...userPacks.slice(0, 3)].map(({ number }) => number),
    ]
    for (const fold of everyFold.filter(({ number }) => further.includes(number))) {
      await foldNext(world().database, fold, start + 40 * hour)
    }
    await apply(chargesFrom(start - 5 * hour, 70, 500))
    await apply(chargesFrom(start + 36 * hour, 30))
    await world()
      .database.query.transaction()
      .execute(async (transaction) => {
        const errors = errorRollupRows([anEntry({ createdAt: start + hour, channelId: 9 })])
        await createAddToRollups(world().database)(transaction, errors)
      })
    await expectEqualBooks()
  })

  test('stay equal while charges and periodic work meet', async () => {
    const first = start + 48 * hour
    // Each side takes its turns one by one: a crowd would wait longer for a connection than the pool lets it.
    const charging = [0, 1, 2].map(async (side) => {
      for (let batch = side; batch < 30; batch += 3) await apply(chargesFrom(first + (batch % 6) * hour, 20, 120))
    })
    const folding = [0, 1, 2].map(async (side) => {
      for (let round = side; round < 8; round += 1) {
        for (const fold of everyFold) await foldNext(world().database, fold, first + 5 * hour)
      }
    })
    await Promise.all([...charging, ...folding])
    await foldAll(first + 6 * hour)
    await expectEqualBooks()
  })

  test('are made by periodic work once an hour has settled', async () => {
    const clock = { now: () => (start + 60 * hour + 599) * 1000, monotonic: () => 0 }
    const job = (now: () => number) =>
      foldUsage({ database: world().database, clock: { ...clock, now }, metrics: createMetrics() }, () => noRests())
    await apply(chargesFrom(start + 59 * hour, 5))
    const { signal } = new AbortController()
    await job(clock.now).run(signal)
    expect(await untils()).toEqual([start + 56 * hour, start + 54 * hour, start + 40 * hour])
    await job(() => clock.now() + 2000).run(signal)
    expect(await untils()).toEqual([start + 60 * hour, start + 56 * hour])
    await expectEqualBooks()
  })
})
