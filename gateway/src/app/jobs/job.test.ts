import { expect, test } from 'bun:test'

import { systemRoutes } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { onBothDatabases } from '../../../test/databases'
import { Metrics } from '../../platform/telemetry/metrics/metrics'
import { DatabaseUnavailableError } from '../../platform/store/database-errors'
import { jobNote, readNotes } from '../../platform/store/site-notes'
import { JobRecords } from './job'

onBothDatabases('records of jobs', (world, once) => {
  test('a run with another outcome is stored at once, and one like the last once a minute', async () => {
    const { database } = world()
    let now = 1_000_000
    const clock = createClock(() => now)
    const records = new JobRecords({ database, clock, worker: 'w1', metrics: new Metrics() })
    const storeAndRead = async () => {
      await records.store()
      return (await readNotes(database.query, jobNote, systemRoutes.JobRun)).map(
        ({ started_at_ms: at, outcome, duration_ms: took, error }) => [at, outcome, took, error],
      )
    }
    const run = (error?: unknown) => {
      records.began({ name: 'sweep', everyMs: 5000 })
      now += 20
      records.recordEnd({ name: 'sweep' }, error)
    }
    run()
    expect(await storeAndRead()).toEqual([[1_000_000, 'ok', 20, '']])
    run()
    expect(await storeAndRead()).toEqual([[1_000_000, 'ok', 20, '']])
    now += 60_000
    run()
    expect(await storeAndRead()).toEqual([[1_060_040, 'ok', 20, '']])
    run(new Error('no room'))
    expect(await storeAndRead()).toEqual([[1_060_060, 'failed', 20, 'no room']])
    run()
    expect(await storeAndRead()).toEqual([[1_060_080, 'ok', 20, '']])
  })

  once('a run that says how far it is can be seen by all nodes while it goes on', async () => {
    const { database } = world()
    const clock = createClock(
      () => 1_000_000,
      () => 0,
    )
    const records = new JobRecords({ database, clock, worker: 'w1', metrics: new Metrics() })
    const storeAndRead = async () => {
      await records.store()
      const runs = await readNotes(database.query, jobNote, systemRoutes.JobRun)
      return runs.filter(({ name }) => name === 'shrink').map(({ outcome, progress }) => [outcome, progress])
    }
    records.began({ name: 'shrink', everyMs: 5000 })
    expect(await storeAndRead()).toEqual([])
    records.cameFurther({ name: 'shrink' }, { removed: 20, percent: 3 })
    expect(await storeAndRead()).toEqual([['running', { removed: 20, percent: 3 }]])
    records.recordEnd({ name: 'shrink' })
    expect(await storeAndRead()).toEqual([['ok', { removed: 20, percent: 3 }]])
  })

  test('operators are told of a failed run, of a backup as such, and not of an outage of the database', async () => {
    const { database } = world()
    let now = 1_000_123
    const clock = createClock(() => now)
    const records = new JobRecords({ database, clock, worker: 'w1', metrics: new Metrics() })
    const run = (name: string, error?: unknown) => {
      records.began({ name, everyMs: 5000 })
      records.recordEnd({ name }, error)
    }
    run('mend', new Error('no room'))
    run('make-backups', new Error('no disk'))
    run('fold', new DatabaseUnavailableError(new Error('refused')))
    run('prune')
    await records.store()
    await records.store()
    const events = async () => {
      const rows = await database.query
        .selectFrom('operator_events')
        .selectAll()
        .where('subject', '<>', 'sweep')
        .orderBy('subject')
        .execute()
      return rows.map(({ kind, subject, facts, count }) => [kind, subject, JSON.parse(facts), count])
    }
    const backup = ['backup-failed', 'make-backups', { name: 'make-backups', reason: 'no disk' }, 1]
    expect(await events()).toEqual([backup, ['job-failed', 'mend', { name: 'mend', reason: 'no room' }, 1]])
    // It fails at each run, and is stored once a minute.
    for (let seconds = 5; seconds <= 60; seconds += 5) {
      now += 5000
      run('mend', new Error('still no room'))
      await records.store()
    }
    expect(await events()).toEqual([backup, ['job-failed', 'mend', { name: 'mend', reason: 'still no room' }, 2]])
  })

  once('failed runs of a job are counted, and the time of its last success is known', () => {
    const metrics = new Metrics()
    metrics.expectJobs(['sweep'])
    const clock = createClock(
      () => 1_800_000_000_123,
      () => 5,
    )
    const records = new JobRecords({ database: world().database, clock, worker: 'w1', metrics })
    const valueOf = (name: string) => metrics.read().find((reading) => reading.name === name)?.samples
    expect(valueOf('tollgate_job_failures_total')).toEqual([['tollgate_job_failures_total{name="sweep"}', 0]])
    for (const error of [undefined, new Error('no room'), new Error('no room')]) {
      records.began({ name: 'sweep', everyMs: 5000 })
      records.recordEnd({ name: 'sweep' }, error)
    }
    expect(valueOf('tollgate_job_failures_total')).toEqual([['tollgate_job_failures_total{name="sweep"}', 2]])
    expect(valueOf('tollgate_job_last_success_timestamp_seconds')).toEqual([
      ['tollgate_job_last_success_timestamp_seconds{name="sweep"}', 1_800_000_000],
    ])
  })

  once('a run in progress is not stored, and the last one of a leader that stops is', async () => {
    const { database } = world()
    let now = 5000
    const records = new JobRecords({
      database,
      clock: createClock(() => now),
      worker: 'w1',
      metrics: new Metrics(),
    })
    const storeAndRead = async (isLast?: boolean) => {
      await records.store(isLast)
      const runs = await readNotes(database.query, jobNote, systemRoutes.JobRun)
      return runs.filter(({ name }) => name === 'tidy').map((run) => run.started_at_ms)
    }
    records.began({ name: 'tidy', everyMs: 5000 })
    expect(await storeAndRead()).toEqual([])
    expect(records.all()).toMatchObject([{ name: 'tidy', outcome: 'running', duration_ms: null }])
    records.recordEnd({ name: 'tidy' })
    expect(await storeAndRead()).toEqual([5000])
    now = 10_000
    records.began({ name: 'tidy', everyMs: 5000 })
    records.recordEnd({ name: 'tidy' })
    expect(await storeAndRead()).toEqual([5000])
    expect(await storeAndRead(true)).toEqual([10_000])
  })
})
