import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../../test/databases'
import { anEntry } from '../../../../test/ledger'
import { noRests } from '../../../../test/pace'
import { foldCallMeasures } from '../../../app/jobs/fold-usage'
import { createApplyCharges } from '../../ledger/charge/apply-charges'
import { chargeRecord } from '../../ledger/charge/charge-record'
import type { LogEntry } from '../../ledger/ledger'
import { createRecordMeasures } from '../../ledger/charge/measure-batch'
import { Metrics } from '../../../platform/telemetry/metrics/metrics'
import type { UsageFilter } from '../../../platform/store/usage-conditions'
import type { DimensionName } from '../rollups'
import { rollUpMeasures } from './roll-up-measures'
import { Measures } from './measures'
import { readMeasures } from './read-measures'
import { FakeTime } from '../../../../test/fake-time'

const hour = 3600
const day = 24 * hour
const start = 1_800_000_000 - (1_800_000_000 % day)

onBothDatabases('measures of calls', (world, once) => {
  const all: LogEntry[] = []
  const query = () => world().database.query

  /** Returns this many entries, some seconds apart, of few distinct values. */
  const entriesFrom = (from: number, count: number, step: number): LogEntry[] =>
    Array.from({ length: count }, (_, index) =>
      anEntry({
        createdAt: from + index * step,
        userId: 1 + (index % 5),
        modelName: `m${index % 3}`,
        tokenName: `t${index % 2}`,
        group: `g${index % 2}`,
        channelId: index % 4,
        promptTokens: 100 + index,
        completionTokens: index,
        measures: {
          wholeMs: 1 + ((index * 7919) % 20_000),
          firstTokenMs: index % 3 === 0 ? null : 1 + ((index * 31) % 900),
          cachedTokens: index % 50,
          cacheSaved: index % 7,
        },
      }),
    )

  async function charge(entries: readonly LogEntry[], ids = entries.map(() => crypto.randomUUID())) {
    const records = entries.map((entry, index) => {
      const payer = { userId: entry.userId, tokenId: 1, isTokenLimited: false }
      const noLease = { userLease: '', tokenLease: '' }
      return chargeRecord(ids[index] ?? '', payer, { cost: 1, isLogged: false, entry }, noLease)
    })
    await createApplyCharges(world().database)(records)
  }
  async function add(entries: readonly LogEntry[]) {
    all.push(...entries)
    // Batches as they arrive: of one call and of several.
    for (let first = 0; first < entries.length; first += 7) await charge(entries.slice(first, first + 7))
  }
  async function fail(entries: readonly LogEntry[]) {
    all.push(...entries)
    await query()
      .transaction()
      .execute((transaction) => createRecordMeasures(query())(transaction, entries))
  }
  const errorsFrom = (from: number, count: number) =>
    entriesFrom(from, count, 60).map((entry, index) => ({
      ...entry,
      measures: undefined,
      errorCode: index % 3 === 0 ? 'upstream.busy' : 'upstream.failed',
    }))

  const valueOf = (entry: LogEntry, column: DimensionName) =>
    String(
      {
        model_name: entry.modelName,
        token_name: entry.tokenName,
        group: entry.group,
        channel_id: entry.channelId,
        user_id: entry.userId,
      }[column],
    )
  const matches = (entry: LogEntry, { userId, modelName, modelNames, tokenName, group, channelId }: UsageFilter) =>
    (userId === undefined || entry.userId === userId) &&
    (modelName === undefined || entry.modelName === modelName) &&
    (modelNames === undefined || modelNames.includes(entry.modelName)) &&
    (tokenName === undefined || entry.tokenName === tokenName) &&
    (group === undefined || entry.group === group) &&
    (channelId === undefined || entry.channelId === channelId)

  function measureEntries(entries: readonly LogEntry[]) {
    const measures = new Measures()
    for (const entry of entries) {
      if (entry.measures) measures.addCall({ ...entry, ...entry.measures })
      else if (entry.errorCode !== undefined) measures.addErrors(entry.errorCode, 1)
    }
    return contentsOf(measures)
  }
  const contentsOf = ({ firstToken, whole, errors, ...sums }: Measures) => ({
    ...sums,
    firstToken: firstToken.entries(),
    whole: whole.entries(),
    errors: Object.fromEntries(errors),
  })

  const hours = { from: start - hour, before: start + 29 * hour }
  const parts = { size: day, shift: 8 * hour }
  const filters: readonly UsageFilter[] = [
    {},
    { userId: 2 },
    { userId: 2, modelName: 'm1', tokenName: 't1' },
    { userId: 3, channelId: 2, group: 'g0' },
    { userId: 99 },
    { modelName: 'm1' },
    { modelNames: ['m0', 'm2', 'unused'] },
    { modelNames: [] },
    { tokenName: 't0' },
    { group: 'g1' },
    { channelId: 3 },
  ]
  const columns: readonly DimensionName[] = ['model_name', 'token_name', 'group', 'channel_id', 'user_id']

  /** Compares every possible query with what the entries themselves add up to. */
  async function expectAll() {
    const within = all.filter(({ createdAt }) => createdAt >= hours.from && createdAt < hours.before)
    for (const filter of filters) {
      for (const column of columns) {
        const keys = [...new Set(within.map((entry) => valueOf(entry, column)))].slice(0, 2)
        const found = await readMeasures(query(), { filter, hours, parts, series: { column, keys } })
        const expected = within.filter((entry) => matches(entry, filter))
        expect(contentsOf(found?.total ?? new Measures())).toEqual(measureEntries(expected))
        const partOf = ({ createdAt }: LogEntry) => Math.floor((createdAt + parts.shift) / parts.size)
        expect(new Set(found?.byPart.keys())).toEqual(new Set(expected.map(partOf)))
        for (const [part, measures] of found?.byPart ?? []) {
          expect(contentsOf(measures)).toEqual(measureEntries(expected.filter((entry) => partOf(entry) === part)))
        }
        for (const [key, measures] of found?.bySeries ?? []) {
          expect(contentsOf(measures)).toEqual(
            measureEntries(expected.filter((entry) => valueOf(entry, column) === key)),
          )
        }
      }
    }
  }
  const waiting = async () => (await query().selectFrom('measure_batches').selectAll().execute()).length

  once('measures are read as they were charged: before, while and after they are packed', async () => {
    await add(entriesFrom(start, 180, 600))
    await fail(errorsFrom(start + hour, 9))
    await expectAll()
    expect(await rollUpMeasures(world().database, start + 10 * hour, 5)).toBe(true)
    expect(await waiting()).toBeGreaterThan(5)
    await expectAll()
    while (await rollUpMeasures(world().database, start + 40 * hour, 5));
    expect(await waiting()).toBe(0)
    await expectAll()
  })

  once('late charges are counted in days that are packed already', async () => {
    await add(entriesFrom(start - 3 * hour, 40, 700))
    await fail(errorsFrom(start + 2 * hour, 5))
    await expectAll()
    while (await rollUpMeasures(world().database, start + 40 * hour, 100));
    expect(await waiting()).toBe(0)
    await expectAll()
  })

  once('a request id is counted once', async () => {
    const entries = entriesFrom(start + 3 * hour, 3, 10)
    const ids = entries.map(() => crypto.randomUUID())
    all.push(...entries)
    await charge(entries, ids)
    await charge(entries, ids)
    await expectAll()
  })

  once('calls that an earlier release charged are left out of the measures', async () => {
    await charge(entriesFrom(start + 4 * hour, 4, 10).map((entry) => ({ ...entry, measures: undefined })))
    await expectAll()
  })

  test('measures are exact while charges, jobs of two workers and readers run at the same time', async () => {
    const charging = [0, 1].map(async (side) => {
      for (let batch = 0; batch < 6; batch += 1) await add(entriesFrom(start + (side * 6 + batch) * hour, 14, 60))
    })
    const folding = [0, 1].map(async () => {
      for (let round = 0; round < 6; round += 1) await rollUpMeasures(world().database, start + 40 * hour, 2)
    })
    const increments = new Set<number>()
    const reading = (async () => {
      let last = 0
      for (let round = 0; round < 8; round += 1) {
        const calls = (await readMeasures(query(), { filter: {}, hours }))?.total.calls ?? 0
        increments.add(calls - last)
        last = calls
      }
    })()
    await Promise.all([...charging, ...folding, reading])
    // Charges only ever add calls: one that was in neither place for a moment would lower the count.
    expect([...increments].every((more) => more >= 0)).toBe(true)
    await expectAll()
  })

  once('measures are not kept for two columns of all users at once, nor for unresolved patterns', async () => {
    for (const filter of [{ modelName: 'm1', group: 'g1' }, { modelName: 'm%' }, { userId: null }]) {
      expect(await readMeasures(query(), { filter, hours })).toBeNull()
    }
    const series = { column: 'channel_id', keys: [1] } as const
    expect((await readMeasures(query(), { filter: { modelName: 'm1' }, hours, series }))?.bySeries).toBeNull()
  })

  once('a job packs measures once an hour has settled, or at once where very many wait', async () => {
    while (await rollUpMeasures(world().database, start + 100 * hour, 1000));
    const job = (nowSeconds: number) =>
      foldCallMeasures(
        {
          database: world().database,
          ...new FakeTime(nowSeconds * 1000).parts,
          metrics: new Metrics(),
        },
        () => noRests(),
      )
    const { signal } = new AbortController()
    await add(entriesFrom(start + 50 * hour, 1, 1))
    await job(start + 51 * hour + 600).run(signal)
    expect(await waiting()).toBe(1)
    await job(start + 51 * hour + 601).run(signal)
    expect(await waiting()).toBe(0)
    const empty = { hour: start + 60 * hour, records: new Uint8Array() }
    for (const rows of [5000, 5000, 5000, 5001]) {
      await query()
        .insertInto('measure_batches')
        .values(Array.from({ length: rows }, () => empty))
        .execute()
    }
    await job(start + 60 * hour).run(signal)
    expect(await waiting()).toBeWithin(15_000, 20_001)
  })
})
