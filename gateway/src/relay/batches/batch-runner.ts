import { randomHex } from '../../platform/random'
import { DatabaseUnavailableError } from '../../platform/store/database-errors'
import { levelOf } from '../../platform/store/database-watch'
import {
  claimBatches,
  graceMs,
  pauseClaim,
  releaseClaim,
  renewClaims,
  type Batch,
} from '../../tasks/batches/batch-store'
import type { RelayDeps } from '../call-context'

/** More batches wait until one of these has ended or another worker takes them. */
const maxBatches = 16
const renewMs = 5000

/**
 * Runs batches that are not done: claims those that no worker runs, and renews its claims while it does. What it leaves behind when it dies is
 * taken over by another worker once the claims have expired.
 */
export class BatchRunner {
  readonly #running = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>()
  readonly #worker: string
  #endRenewals: (() => void) | null = null
  #isStopped = false
  #ticking: Promise<void> | null = null

  constructor(private readonly deps: RelayDeps) {
    this.#worker = randomHex(deps.ctx.random, 8)
  }

  /** Takes batches that are due. Called every second or so, and when one was submitted. */
  tick(): Promise<void> {
    this.#ticking ??= this.#claim().finally(() => {
      this.#ticking = null
    })
    return this.#ticking
  }

  /** Resolves when this worker runs no batch any more. */
  async whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /** Ends after the calls under way: another worker goes on. */
  async stop(): Promise<void> {
    this.#isStopped = true
    // Who asked for it learns that it failed.
    await this.#ticking?.catch(() => {})
    for (const { controller } of this.#running.values()) controller.abort()
    await this.whenIdle()
  }

  async #claim(): Promise<void> {
    const { ctx } = this.deps
    if (this.#isStopped || this.#running.size >= maxBatches) return
    const claimed = await claimBatches(ctx, this.#worker, maxBatches - this.#running.size)
    // A claim that expired while its worker was held up is this worker's again, and so is the batch that it still runs.
    for (const batch of claimed) if (!this.#running.has(batch.row.task_id)) this.#begin(batch)
  }

  #begin(batch: Batch): void {
    const { ctx } = this.deps
    const { task_id: id } = batch.row
    const controller = new AbortController()
    const done = this.#run(batch, controller.signal).finally(() => {
      this.#running.delete(id)
      if (this.#running.size > 0) return
      this.#endRenewals?.()
      this.#endRenewals = null
    })
    this.#running.set(id, { controller, done })
    this.#endRenewals ??= ctx.timers.every(renewMs, () => {
      this.#renew().catch((error: unknown) =>
        ctx.log[levelOf(error, 'warn')]({ error }, 'claims on batches could not be renewed'),
      )
    })
  }

  async #run(batch: Batch, signal: AbortSignal): Promise<void> {
    const { ctx } = this.deps
    try {
      // Loaded with the first batch.
      const { runBatch } = await import('./run-batch')
      const dueAt = await runBatch(batch, this.deps, signal)
      if (dueAt !== null) await pauseClaim(ctx, this.#worker, batch.row.task_id, dueAt)
      else if (signal.aborted) await releaseClaim(ctx, this.#worker, batch.row.task_id)
    } catch (error) {
      ctx.log[levelOf(error, 'error')](
        { error, batch: batch.row.task_id },
        'a batch could not go on; another try is made when the claim on it expires',
      )
      await this.#endOverdue(batch, error)
    }
  }

  /** What cannot go on keeps its hold no longer than its time, as where its lines cannot be opened any more. */
  async #endOverdue(batch: Batch, cause: unknown): Promise<void> {
    const { ctx } = this.deps
    if (cause instanceof DatabaseUnavailableError || batch.task.deadline_at + graceMs > ctx.clock.now()) return
    const { endBatch } = await import('../../tasks/batches/end-batch')
    await endBatch(ctx, batch, { status: 'FAILURE', reason: { code: 'task.timeout' } }).catch((error: unknown) =>
      ctx.log[levelOf(error, 'error')]({ error, batch: batch.row.task_id }, 'an overdue batch could not be ended'),
    )
  }

  async #renew(): Promise<void> {
    const ids = [...this.#running.keys()]
    if (ids.length === 0) return
    const own = await renewClaims(this.deps.ctx, this.#worker, ids)
    for (const [id, { controller }] of this.#running) if (ids.includes(id) && !own.has(id)) controller.abort()
  }
}
