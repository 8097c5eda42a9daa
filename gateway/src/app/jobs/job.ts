import type { systemRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Topic } from '../../platform/store/changes'
import type { Clock } from '../../platform/time/clock'
import { reportEvent, type ReportedEvent } from '../../platform/telemetry/events/report-event'
import { messageOf } from '../../platform/text/message-of'
import { DatabaseUnavailableError } from '../../platform/store/database-errors'
import { jobNote, writeNotes, type SiteNote } from '../../platform/store/site-notes'
import { type Pace, YieldingPace } from '../../platform/store/pace'

/** Called as often as a long run comes further. */
export type OnProgress = (progress: systemRoutes.JobProgress) => void

/** Work that repeats, on one worker of all. */
export interface Job {
  readonly name: string
  /** Milliseconds between two runs. The job itself decides whether there is something to do. */
  readonly everyMs: number
  /** Changes of this topic also start it, within the second in which they are received. */
  readonly wokenBy?: Topic
  /** Ends soon after the signal. */
  run(signal: AbortSignal, onProgress?: OnProgress): Promise<void>
}

/** Returns the pace of a worker that handles calls as well. */
export const paceOf = (
  { database, clock, timers, metrics }: Pick<Context, 'database' | 'clock' | 'timers' | 'metrics'>,
  signal: AbortSignal,
): Pace => new YieldingPace({ ...database, clock, timers, calls: () => metrics.responseCount, signal })

type JobRun = systemRoutes.JobRun

/** Most jobs run every few seconds and find nothing to do: a run like the last one is stored only this often. */
const storedEveryMs = 60_000
const maxErrorLength = 500

/** The last run of each job of this worker, stored so that every node can show them. */
export class JobRecords {
  readonly #runs = new Map<string, JobRun>()
  readonly #beganAt = new Map<string, number>()
  /** Names of jobs whose failure operators are still to be told of. */
  readonly #unreported = new Set<string>()
  /** As it was stored last. */
  readonly #stored = new Map<string, { readonly run: JobRun; readonly atMs: number }>()

  constructor(
    private readonly deps: Pick<Context, 'database' | 'metrics'> & { readonly clock: Clock; readonly worker: string },
  ) {}

  began(job: Pick<Job, 'name' | 'everyMs'>): void {
    const { clock, worker } = this.deps
    const run: JobRun = {
      name: job.name,
      every_ms: job.everyMs,
      started_at_ms: Math.round(clock.now()),
      duration_ms: null,
      outcome: 'running',
      error: '',
      worker,
      progress: null,
    }
    this.#runs.set(job.name, run)
    this.#beganAt.set(job.name, clock.monotonic())
  }

  /** Notes how far a running job has come. */
  cameFurther({ name }: Pick<Job, 'name'>, progress: systemRoutes.JobProgress): void {
    const run = this.#runs.get(name)
    if (run) this.#runs.set(name, { ...run, progress })
  }

  recordEnd({ name }: Pick<Job, 'name'>, error?: unknown): void {
    const run = this.#runs.get(name)
    if (!run) return
    const { clock, metrics } = this.deps
    if (error === undefined) metrics.jobSucceeded(name, clock.seconds())
    else metrics.jobFailed(name)
    // An outage of the database is an event of its own.
    if (error !== undefined && !(error instanceof DatabaseUnavailableError)) this.#unreported.add(name)
    this.#runs.set(name, {
      ...run,
      duration_ms: Math.round(clock.monotonic() - (this.#beganAt.get(name) ?? 0)),
      outcome: error === undefined ? 'ok' : 'failed',
      error: error === undefined ? '' : messageOf(error).slice(0, maxErrorLength),
    })
  }

  /** Returns the last runs of this worker. */
  all(): JobRun[] {
    return [...this.#runs.values()]
  }

  /** Stores what is new: runs whose outcome differs from the last one's, the others once a minute; running ones if they say how far they are. */
  async store(isLast = false): Promise<void> {
    const { clock, database } = this.deps
    const now = clock.now()
    const isNews = (run: JobRun) => {
      const stored = this.#stored.get(run.name)
      if (!stored || stored.run.outcome !== run.outcome) return true
      return stored.run !== run && (isLast || now - stored.atMs >= storedEveryMs)
    }
    const news = this.all().filter((run) => (run.outcome !== 'running' || run.progress !== null) && isNews(run))
    if (news.length === 0) return
    await database.query.transaction().execute(async (transaction) => {
      await writeNotes(
        transaction,
        news.map((run): SiteNote => ({ name: jobNote + run.name, value: run })),
        now,
      )
      for (const run of news)
        if (this.#unreported.has(run.name)) await reportEvent({ clock }, failureEvent(run), transaction)
    })
    for (const run of news) {
      this.#stored.set(run.name, { run, atMs: now })
      this.#unreported.delete(run.name)
    }
  }
}

const failureEvent = ({ name, error }: JobRun): ReportedEvent => ({
  kind: name === 'make-backups' ? 'backup-failed' : 'job-failed',
  subject: name,
  facts: { name, reason: error },
})
