import { endedTaskStatuses } from '@tollgate/contract'

import type { Context } from '../../context'
import { isCancelled } from '../../tasks/task-view'
import type { Departure } from '../departure'

type Deps = Pick<Context, 'clock' | 'database' | 'log' | 'timers'>

/** A worker that does not renew its claim within this time has lost it: the poller ends the task. */
export const claimMs = 120_000
/** Also how soon a call whose task was cancelled elsewhere is told so. */
const renewMs = 2000

/** A call that this worker runs in the background. */
interface RunningCall extends Disposable {
  /** Aborted when its task was given up elsewhere: it can be neither answered nor charged any more. */
  readonly signal: AbortSignal
}

interface Running {
  readonly controller: AbortController
  readonly departure: Pick<Departure, 'leave'>
  readonly bytes: number
}

/** Requests of this many bytes stay in memory until they are answered. */
const maxBytes = 256 * 1024 * 1024

/** The calls that this worker runs in the background, and its claims on their tasks. */
export class BackgroundCalls {
  readonly #running = new Map<number, Running>()
  #bytes = 0
  #endRenewals: (() => void) | null = null

  /** Returns whether a request of `bytes` bytes may wait here. */
  hasRoom(bytes: number): boolean {
    return this.#running.size === 0 || this.#bytes + bytes <= maxBytes
  }

  /** Claims a task until its call is disposed of. `bytes`: how much memory its request takes. */
  add(taskId: number, { departure, bytes }: Omit<Running, 'controller'>, deps: Deps): RunningCall {
    const controller = new AbortController()
    this.#running.set(taskId, { controller, departure, bytes })
    this.#bytes += bytes
    this.#endRenewals ??= deps.timers.every(renewMs, () => {
      this.renew(deps).catch((error: unknown) =>
        deps.log.warn({ error }, 'claims on calls in the background could not be renewed'),
      )
    })
    return { signal: controller.signal, [Symbol.dispose]: () => this.#remove(taskId) }
  }

  /** Renews all claims in one statement. Calls whose task was cancelled are nobody's any more; those whose task has ended stop. */
  async renew({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
    const ids = [...this.#running.keys()]
    if (ids.length === 0) return
    const claimed = await database.query
      .updateTable('tasks')
      .set({ poll_at: clock.now() + claimMs })
      .where('id', 'in', ids)
      .where('status', 'not in', endedTaskStatuses)
      .returning(['id', 'data'])
      .execute()
    const open = new Map(claimed.map((row) => [row.id, row]))
    for (const id of ids) {
      const running = this.#running.get(id)
      const row = open.get(id)
      if (!row) running?.controller.abort()
      if (!row || isCancelled(row)) running?.departure.leave()
    }
  }

  #remove(taskId: number): void {
    this.#bytes -= this.#running.get(taskId)?.bytes ?? 0
    this.#running.delete(taskId)
    if (this.#running.size > 0) return
    this.#endRenewals?.()
    this.#endRenewals = null
  }
}
