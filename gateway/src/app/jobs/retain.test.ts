import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { logRoutes, logType, type systemRoutes } from '@tollgate/contract'

import { systemClock, createClock } from '../../platform/time/clock'
import { createTestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { noRests } from '../../../test/pace'
import { aLogRow } from '../../../test/rows'
import { aSpentSite, type SpentSite } from '../../../test/spent-site'
import { addUpHours } from '../../../test/sums'
import { rollUpMeasures } from '../../billing/analytics/measures/roll-up-measures'
import { logHandlers } from '../../console-api/logs/logs'
import { statementOf } from '../../console-api/wallet/statement'
import { monthsBefore, retainAudit, retainLogs, retainSums } from './retain'
import { readRemovalRequest } from '../../operations/retention/remove-logs'
import type { Job, OnProgress } from './job'

setDefaultTimeout(120_000)

const day = 24 * 3600

test('months begin in UTC, also across years', () => {
  const at = (text: string) => Date.parse(text) / 1000
  expect(monthsBefore(at('2026-03-31T23:59:59Z'), 1)).toBe(at('2026-02-01T00:00:00Z'))
  expect(monthsBefore(at('2026-01-01T00:00:00Z'), 14)).toBe(at('2024-11-01T00:00:00Z'))
})

describe.each(kinds)('keeping for a time (%s)', (kind) => {
  const once = onceOf(kind)

  let site: SpentSite
  beforeEach(async () => {
    site = await aSpentSite(kind)
  })
  afterEach(() => site[Symbol.asyncDispose]())

  const query = () => site.ctx.database.query
  const pace =
    (rows = 1000) =>
    () =>
      noRests(rows)
  const run = (job: Job, onProgress?: OnProgress, signal = new AbortController().signal) => job.run(signal, onProgress)
  const count = async (table: 'logs' | 'rollups' | 'hourly_sums' | 'daily_sums' | 'usage_packs' | 'audit_log') =>
    (
      await query()
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
    ).rows
  const oldRows = (ages: readonly number[]) =>
    query()
      .insertInto('logs')
      .values(ages.map((age, at) => aLogRow({ request_id: `old-${at}`, created_at: site.now() - age, quota: 0 })))
      .execute()
  const requests = async () =>
    (
      await query()
        .selectFrom('logs')
        .select('request_id')
        .where('type', '=', logType.consumption)
        // Without the call of a batch.
        .where('request_id', 'not like', 'batch_%')
        .orderBy('id')
        .execute()
    ).map(({ request_id: id }) => id)

  once('nothing is removed while the options are 0', async () => {
    site.passSeconds(1000 * day)
    const before = [await count('logs'), await count('rollups'), await count('audit_log')]
    for (const job of [retainLogs, retainSums, retainAudit]) await run(job(site.ctx, pace()))
    expect([await count('logs'), await count('rollups'), await count('audit_log')]).toEqual(before)
  })

  test('rows of calls are removed after the days of the option, others stay, and the books agree', async () => {
    await site.set({ LogRetentionDays: '10' })
    await query()
      .insertInto('log_texts')
      .values({ request_id: 'ann-1', created_at: site.now() - 3600, context: '', input: '', output: '' })
      .execute()
    site.passSeconds(10 * day - 3601)
    await run(retainLogs(site.ctx, pace()))
    expect(await requests()).toEqual(['ann-1', 'ann-2', 'ben-1'])
    site.passSeconds(2)
    await run(retainLogs(site.ctx, pace(1)))
    expect(await requests()).toEqual([])
    expect(await query().selectFrom('log_texts').select('request_id').execute()).toEqual([])
    expect(await count('logs')).toBeGreaterThan(0)
    expect(await site.differences()).toEqual([])
  })

  once('a run tells how far it is by the age of the rows, and a later run goes on where one was ended', async () => {
    await site.set({ LogRetentionDays: '10' })
    await oldRows([110, 100, 60, 50, 20].map((days) => days * day))
    const progressReports: systemRoutes.JobProgress[] = []
    const ending = new AbortController()
    const job = retainLogs(site.ctx, pace(1))
    await run(
      job,
      (progress) => void (progressReports.push(progress), progressReports.length === 2 && ending.abort()),
      ending.signal,
    )
    expect(progressReports).toEqual([
      { removed: 1, percent: 0 },
      { removed: 2, percent: 10 },
    ])
    expect(await requests()).toEqual(['ann-1', 'ann-2', 'ben-1', 'old-2', 'old-3', 'old-4'])
    await run(job, (progress) => void progressReports.push(progress))
    expect(await requests()).toEqual(['ann-1', 'ann-2', 'ben-1'])
    expect(progressReports.at(-1)).toEqual({ removed: 3, percent: 80 })
  })

  once('what an administrator removes beyond some seconds is finished by the job', async () => {
    await oldRows(Array.from({ length: 2000 }, () => 100 * day))
    const target_timestamp = site.now() - 50 * day
    let reads = 0
    const clock = createClock(
      () => site.ctx.clock.now(),
      () => (reads += 1) * 2000,
    )
    const ctx = { ...site.ctx, clock }
    const { id } = await site.aRoot()
    const page = createTestConsole(ctx, logHandlers)
    const deleted = await page.client(await page.signIn(id)).call(logRoutes.deleteLogs, { query: { target_timestamp } })
    expect(deleted).toBeLessThan(2000)
    expect(await readRemovalRequest(query())).toBe(target_timestamp)
    await run(retainLogs(site.ctx, pace(300)))
    expect(await requests()).toEqual(['ann-1', 'ann-2', 'ben-1'])
    expect(await readRemovalRequest(query())).toBe(0)
  })

  test('sums are removed after the months of the option, and balances, statements and checks stay whole', async () => {
    const { ctx, ann } = site
    while (await rollUpMeasures(ctx.database, site.now() + day, 10));
    await addUpHours(ctx.database, site.now() + day)
    const countDerived = async () => [
      await count('rollups'),
      await count('hourly_sums'),
      await count('daily_sums'),
      await count('usage_packs'),
    ]
    await site.set({ SumsRetentionMonths: '1' })
    const before = await countDerived()
    site.passSeconds(59 * day)
    await run(retainSums(ctx, pace()))
    expect(await countDerived()).toEqual(before)
    const { closing } = await statementOf(ctx, ann.id, '2026-04')
    site.passSeconds(31 * day)
    await run(retainSums(ctx, pace(1)))
    expect(await countDerived()).toEqual([0, 0, 0, 0])
    expect(await site.differences()).toEqual([])
    expect(await statementOf(ctx, ann.id, '2026-05')).toMatchObject({
      first_month: '2026-04',
      opening: closing,
      closing,
    })
    const used = await query()
      .selectFrom('removed_sums')
      .select(['quota', 'count'])
      .where('quota', '>', 0)
      .orderBy('user_id')
      .execute()
    expect(used).toEqual([
      { quota: 300, count: 2 },
      { quota: 300, count: 1 },
    ])
  })

  test('rows of the audit log are removed after the months of the option, never those of three months', async () => {
    const all = await count('audit_log')
    await site.set({ AuditRetentionMonths: '1' })
    site.passSeconds(91 * day)
    await run(retainAudit(site.ctx, pace()))
    expect(await count('audit_log')).toBe(all)
    site.passSeconds(31 * day)
    await run(retainAudit(site.ctx, pace(2)))
    expect(await count('audit_log')).toBe(0)
    // Credits of administrators cannot be compared with rows that are gone.
    expect(await site.differences()).toEqual([])
  })

  test('the database removes no row of the audit log that is younger than ninety days', async () => {
    await query().updateTable('users').set({ email: null }).execute()
    const now = systemClock.seconds()
    const [row] = await query().selectFrom('audit_log').selectAll().limit(1).execute()
    if (!row) throw new Error('There is no row')
    const { id: _id, ...columns } = row
    const rowOf = (created_at: number) => ({ ...columns, created_at, request_id: `at-${created_at}` })
    await query()
      .insertInto('audit_log')
      .values([rowOf(now - 89 * day), rowOf(now - 91 * day)])
      .execute()
    const remove = (created_at: number) =>
      query().deleteFrom('audit_log').where('request_id', '=', `at-${created_at}`).executeTakeFirst()
    expect(await remove(now - 91 * day)).toMatchObject({ numDeletedRows: 1n })
    expect(remove(now - 89 * day)).rejects.toThrow('audit_log only grows')
  })
})
