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

export interface Jobs {
  /** This worker runs the jobs. */
  readonly isLeader: boolean
  /** Returns the last runs of this worker's jobs. */
  runs(): systemRoutes.JobRun[]
  start(): Promise<void>
  stop(): Promise<void>
}

/** Creates the jobs of the site: one worker of all runs them, and another takes over when that one is gone. */
export function createJobs({ context, holderId }: { context: Context; holderId: string }): Jobs {
  const { log, timers } = context
  const records = new JobRecords({ ...context, worker: holderId })
  const store = (isLast = false) =>
    records
      .store(isLast)
      .catch((error: unknown) => log[levelOf(error, 'warn')]({ error }, 'runs of periodic work could not be stored'))
  const jobs = jobsOf(context)
  context.metrics.expectJobs(jobs.map(({ name }) => name))
  const leader = createLeader({
    clock: context.clock,
    lock: createLock({ ...context, name: 'jobs', holder: holderId, seconds: lockSeconds }),
    jobs,
    onError: (error, job) => log.error({ error, job }, 'a job failed'),
    records,
  })
  context.changes.listen((news) => leader.wake(new Set(news.map(({ topic }) => topic))))
  let cancelTick = () => {}
  let isStopped = false
  let ticking: Promise<void> = Promise.resolve()

  async function tick(): Promise<void> {
    await leader
      .tick()
      .catch((error: unknown) => log[levelOf(error, 'warn')]({ error }, 'the leader could not be elected'))
    await store()
    if (isStopped) return
    cancelTick = timers.after(tickMs, () => {
      ticking = tick()
    })
  }

  return {
    get isLeader() {
      return leader.isHolding
    },
    runs: () => records.all(),
    start: () => (ticking = tick()),
    async stop() {
      isStopped = true
      cancelTick()
      await ticking
      const stopping = leader.stop().catch((error: unknown) => log.warn({ error }, 'the jobs did not stop'))
      const stored = stopping.then(() => store(true))
      await within(timers, stopMs, stored, undefined)
    },
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

/** Runs jobs while it holds the lock. `tick` renews the lock and starts what is due; it never waits for a job. */
export function createLeader({ lock, clock, jobs, onError, records }: LeaderOptions) {
  const lastRuns = new Map<string, number>()
  const running = new Map<string, Promise<void>>()
  /** Woken while they ran: they may have checked before what woke them was there. */
  const runAgain = new Set<string>()
  const stopping = new AbortController()
  let isHolding = false

  function start(job: Job) {
    lastRuns.set(job.name, clock.monotonic())
    records?.began(job)
    const run = job
      .run(stopping.signal, (progress) => records?.cameFurther(job, progress))
      .then(
        () => records?.recordEnd(job),
        (error: unknown) => {
          onError(error, job.name)
          records?.recordEnd(job, error)
        },
      )
      .finally(() => {
        running.delete(job.name)
        if (runAgain.delete(job.name) && !stopping.signal.aborted) start(job)
      })
    running.set(job.name, run)
  }

  const isDue = (job: Job): boolean => {
    const last = lastRuns.get(job.name)
    return !running.has(job.name) && (last === undefined || clock.monotonic() - last >= job.everyMs)
  }

  return {
    get isHolding() {
      return isHolding
    },
    async tick(): Promise<void> {
      if (stopping.signal.aborted) return
      isHolding = await lock.acquire()
      if (!isHolding) return
      for (const job of jobs) if (isDue(job)) start(job)
    },
    /** Starts the jobs that these topics wake, on the worker that holds the lock. */
    wake(topics: ReadonlySet<Topic>): void {
      if (!isHolding || stopping.signal.aborted) return
      for (const job of jobs) {
        if (job.wokenBy === undefined || !topics.has(job.wokenBy)) continue
        if (running.has(job.name)) runAgain.add(job.name)
        else start(job)
      }
    },
    /** Ends running jobs and releases the lock. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(running.values())
      await lock.release()
    },
  }
}
