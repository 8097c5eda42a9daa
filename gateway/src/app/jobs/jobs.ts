import type { systemRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Topic } from '../../platform/store/changes'
import { levelOf } from '../../platform/store/database-watch'
import { createLock, type Lock } from '../../platform/store/lock'
import type { Clock } from '../../platform/time/clock'
import { within } from '../../platform/time/timers'
import { JobRecords, type Job } from './job'
import { jobsOf } from './job-table'

/** Shorter than users wait before they wonder; a leader whose node is gone is replaced within it. */
const lockSeconds = 15
const tickMs = 5000
/** A job that does not end by itself is abandoned when the worker stops. */
const stopMs = 2000

/** The jobs of the site: one worker of all runs them, and another takes over when that one is gone. */
export class Jobs {
  readonly #context: Context
  readonly #records: JobRecords
  readonly #leader: Leader
  #cancelTick = () => {}
  #isStopped = false
  #ticking: Promise<void> = Promise.resolve()

  constructor({ context, holderId }: { context: Context; holderId: string }) {
    const jobs = jobsOf(context)
    this.#context = context
    this.#records = new JobRecords({ ...context, worker: holderId })
    context.metrics.expectJobs(jobs.map(({ name }) => name))
    this.#leader = new Leader({
      clock: context.clock,
      lock: createLock({ ...context, name: 'jobs', holder: holderId, seconds: lockSeconds }),
      jobs,
      onError: (error, job) => context.log.error({ error, job }, 'a job failed'),
      records: this.#records,
    })
    context.changes.listen((news) => this.#leader.wake(new Set(news.map(({ topic }) => topic))))
  }

  /** This worker runs the jobs. */
  get isLeader(): boolean {
    return this.#leader.isHolding
  }

  /** Returns the last runs of this worker's jobs. */
  runs(): systemRoutes.JobRun[] {
    return this.#records.all()
  }

  start(): Promise<void> {
    return (this.#ticking = this.#tick())
  }

  async stop(): Promise<void> {
    const { log, timers } = this.#context
    this.#isStopped = true
    this.#cancelTick()
    await this.#ticking
    const stopping = this.#leader.stop().catch((error: unknown) => log.warn({ error }, 'the jobs did not stop'))
    const stored = stopping.then(() => this.#store(true))
    await within(timers, stopMs, stored, undefined)
  }

  async #tick(): Promise<void> {
    const { log, timers } = this.#context
    await this.#leader
      .tick()
      .catch((error: unknown) => log[levelOf(error, 'warn')]({ error }, 'the leader could not be elected'))
    await this.#store()
    if (this.#isStopped) return
    this.#cancelTick = timers.after(tickMs, () => {
      this.#ticking = this.#tick()
    })
  }

  #store(isLast = false) {
    const { log } = this.#context
    return this.#records
      .store(isLast)
      .catch((error: unknown) => log[levelOf(error, 'warn')]({ error }, 'runs of periodic work could not be stored'))
  }
}

interface LeaderOptions {
  lock: Lock
  clock: Clock
  jobs: readonly Job[]
  onError: (error: unknown, job: string) => void
  /** Notified when a job begins and when it ends. */
  records?: Pick<JobRecords, 'began' | 'recordEnd' | 'cameFurther'>
}

/** Runs jobs while it holds the lock. */
export class Leader {
  readonly #options: LeaderOptions
  readonly #lastRuns = new Map<string, number>()
  readonly #running = new Map<string, Promise<void>>()
  /** Woken while they ran: they may have checked before what woke them was there. */
  readonly #runAgain = new Set<string>()
  readonly #stopping = new AbortController()
  #isHolding = false

  constructor(options: LeaderOptions) {
    this.#options = options
  }

  get isHolding(): boolean {
    return this.#isHolding
  }

  /** Renews the lock and starts what is due; never waits for a job. */
  async tick(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#isHolding = await this.#options.lock.acquire()
    if (!this.#isHolding) return
    for (const job of this.#options.jobs) if (this.#isDue(job)) this.#start(job)
  }

  /** Starts the jobs that these topics wake, on the worker that holds the lock. */
  wake(topics: ReadonlySet<Topic>): void {
    if (!this.#isHolding || this.#stopping.signal.aborted) return
    for (const job of this.#options.jobs) {
      if (job.wokenBy === undefined || !topics.has(job.wokenBy)) continue
      if (this.#running.has(job.name)) this.#runAgain.add(job.name)
      else this.#start(job)
    }
  }

  /** Ends running jobs and releases the lock. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running.values())
    await this.#options.lock.release()
  }

  #isDue(job: Job): boolean {
    const last = this.#lastRuns.get(job.name)
    const isTime = last === undefined || this.#options.clock.monotonic() - last >= job.everyMs
    return isTime && !this.#running.has(job.name)
  }

  #start(job: Job): void {
    const { clock, onError, records } = this.#options
    this.#lastRuns.set(job.name, clock.monotonic())
    records?.began(job)
    const run = job
      .run(this.#stopping.signal, (progress) => records?.cameFurther(job, progress))
      .then(
        () => records?.recordEnd(job),
        (error: unknown) => {
          onError(error, job.name)
          records?.recordEnd(job, error)
        },
      )
      .finally(() => {
        this.#running.delete(job.name)
        if (this.#runAgain.delete(job.name) && !this.#stopping.signal.aborted) this.#start(job)
      })
    this.#running.set(job.name, run)
  }
}
