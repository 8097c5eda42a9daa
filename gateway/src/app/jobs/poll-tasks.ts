import { endedTaskStatuses } from '@tollgate/contract'

import type { Context } from '../../context'
import { builtQuery } from '../../platform/store/database'
import type { Job } from './job'
import { within } from '../../platform/time/timers'

/** Waits for tasks that become due this soon, because the leader runs this job only every five seconds. */
const aheadMs = 5000
const stepMs = 250
/** A pass that takes longer goes on beside the next ones: the tasks of other vendors do not wait for one that is slow. */
const timeoutMs = 1000

/** Polls vendors for the tasks that have not ended. */
export function pollTasks(context: Context): Job {
  const { query } = context.database
  const nextTask = builtQuery(
    query,
    query
      .selectFrom('tasks')
      .select('poll_at')
      .where('poll_at', 'is not', null)
      .where('status', 'not in', endedTaskStatuses)
      .orderBy('poll_at')
      .limit(1),
  )
  const passes = new Passes(context)
  return {
    name: 'poll-tasks',
    everyMs: 1000,
    wokenBy: 'task',
    async run(signal) {
      while (!signal.aborted) {
        const [next] = await nextTask(...endedTaskStatuses, 1)
        const waitMs = (next?.poll_at ?? Infinity) - context.clock.now()
        if (waitMs > aheadMs) return
        if (waitMs > 0) await context.timers.wait(Math.min(waitMs, stepMs))
        else await passes.begin(signal)
      }
      await passes.waitUntilIdle()
    },
  }
}

/** The passes under way, several only where a vendor is slow. */
class Passes {
  readonly #running = new Set<Promise<void>>()
  readonly #busy = new Set<number>()
  readonly #errors: unknown[] = []

  constructor(private readonly context: Context) {}

  /** Begins a pass and resolves when it has ended or takes long. @throws what a pass failed with, this one or an earlier one. */
  async begin(signal: AbortSignal): Promise<void> {
    const pass = this.#pass(signal)
    this.#running.add(pass)
    void pass.then(() => this.#running.delete(pass))
    await within(this.context.timers, timeoutMs, pass, undefined)
    if (this.#errors.length > 0) throw this.#errors.splice(0)[0]
  }

  /** Resolves when no pass is under way. */
  async waitUntilIdle(): Promise<void> {
    await Promise.all(this.#running)
  }

  async #pass(signal: AbortSignal): Promise<void> {
    try {
      // Loaded with the first task.
      const { pollTasks: poll } = await import('../../tasks/poll-tasks')
      await poll(this.context, signal, this.#busy)
    } catch (error) {
      this.#errors.push(error)
    }
  }
}
