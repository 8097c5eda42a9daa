import type { Clock } from '../../platform/time/clock'
import type { Topic } from '../../platform/store/changes'
import type { Lock } from '../../platform/store/lock'
import type { JobRecords } from './job-records'
import type { Job } from './job'

export interface LeaderOptions {
  lock: Lock
  clock: Clock
  jobs: readonly Job[]
  onError: (error: unknown, job: string) => void
  /** Notified when a job begins and when it ends. */
  records?: Pick<JobRecords, 'began' | 'ended' | 'cameFurther'>
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
        () => records?.ended(job),
        (error: unknown) => {
          onError(error, job.name)
          records?.ended(job, error)
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
