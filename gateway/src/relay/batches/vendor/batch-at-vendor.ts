import type { TaskRow } from '../../../platform/store/tables'
import { mask } from '../../../platform/text/mask'
import type { UpstreamError } from '../../../channels/calls/upstream-error'
import { LineBook } from '../../../tasks/batches/batch-lines'
import { graceMs, type Batch } from '../../../tasks/batches/batch-store'
import { readBatchTerms, type BatchTerms } from '../../../tasks/batches/batch-terms'
import { noVendorState, readVendorState, saveVendorState, type VendorState } from '../../../tasks/batches/vendor-state'
import type { TaskChange } from '../../../tasks/task-store'
import type { TaskAccount } from '../../../tasks/vendor-call'
import type { RelayDeps } from '../../call-context'
import { mayGoOn } from './choose-vendor'
import { VendorLines } from './vendor-line'
import type { VendorFailure, VendorRequests } from './vendor-requests'

/** `here`: this gateway makes the calls that are left. `later`: there is something to do again from then on. `left`: another worker goes on. */
export type VendorOutcome =
  | { readonly kind: 'here' }
  | { readonly kind: 'later'; readonly dueAt: number }
  | { readonly kind: 'left'; readonly dueAt: null }

/** What a step ends with; null: the next one follows at once. */
export type StepOutcome = VendorOutcome | null

export const left = { kind: 'left', dueAt: null } as const

/** A step that fails as often is given up. */
export const maxTries = 10
/** Tries for results, which are paid for, and for questions that the vendor refuses: about an hour. */
export const maxFetches = 60
const minPauseMs = 1000
const maxPauseMs = 60_000
/** Between two questions about a batch, which is late by a tenth of its time. */
const minPollMs = 2000
const maxPollMs = 60_000
const lateness = 1 / 10

/** A batch that a vendor may make, with where it stands there: what its steps read and record. */
export class BatchAtVendor {
  readonly terms: BatchTerms
  readonly book: LineBook
  #row: Batch['row']
  #task: TaskRow
  #state: VendorState

  constructor(
    batch: Batch,
    readonly deps: RelayDeps,
  ) {
    this.#row = batch.row
    this.#task = batch.task
    this.#state = readVendorState(batch.row)
    this.terms = readBatchTerms(batch.row.terms)
    this.book = new LineBook(deps.ctx, batch.row)
  }

  get state(): VendorState {
    return this.#state
  }

  get task(): TaskRow {
    return this.#task
  }

  /** That of the gateway for the batch. */
  get name(): string {
    return this.#row.task_id
  }

  get batch(): Batch {
    return { task: this.#task, row: this.#row }
  }

  /** It is not waited for any more. */
  get isLate(): boolean {
    return this.#task.deadline_at + graceMs <= this.deps.ctx.clock.now()
  }

  /** Resolves with the task as it is now; undefined where it is gone. */
  async reload(): Promise<TaskRow | undefined> {
    const { query } = this.deps.ctx.database
    const task = await query.selectFrom('tasks').selectAll().where('id', '=', this.#task.id).executeTakeFirst()
    if (task) this.#task = task
    return task
  }

  mayGoOn(): Promise<boolean> {
    return mayGoOn(this.batch, this.deps)
  }

  linesAt({ account }: VendorRequests): VendorLines {
    return new VendorLines(this.deps, this.batch, account, this.terms)
  }

  /** Records what changes about the state. Resolves with null, or with what to do where another worker was faster. */
  async save(changed: Partial<VendorState>, task: TaskChange = {}): Promise<StepOutcome> {
    const state = { ...this.#state, ...changed }
    const vendor = await saveVendorState(this.deps.ctx.database.query, this.batch, state, task)
    if (vendor === null) return left
    this.#row = { ...this.#row, vendor }
    this.#state = state
    return null
  }

  /** Asks about the vendor's batch again when it may have got on. */
  queryLater(): StepOutcome {
    const now = this.deps.ctx.clock.now()
    const pauseMs = Math.max(minPollMs, Math.min(maxPollMs, (now - this.#state.sentAt) * lateness))
    return { kind: 'later', dueAt: now + pauseMs }
  }

  /** Takes the step again in a while; chooses another channel where the vendor refuses it. */
  async retryLater(
    { kind, error }: VendorFailure,
    { account, max = maxTries }: { readonly account: TaskAccount; readonly max?: number },
  ): Promise<StepOutcome> {
    const tries = this.#state.tries + 1
    this.warn(error, 'a vendor could not be asked about a batch')
    if (kind === 'refused' || tries > max) return this.goElsewhere(account)
    const lost = await this.save({ tries })
    if (lost) return lost
    const { retryAfterSeconds = 0 } = error
    const pauseMs = Math.min(maxPauseMs, Math.max(retryAfterSeconds * 1000, minPauseMs * 2 ** Math.min(tries, 10)))
    return { kind: 'later', dueAt: this.deps.ctx.clock.now() + pauseMs }
  }

  /** The channel does not take it. */
  goElsewhere({ channel }: TaskAccount): Promise<StepOutcome> {
    return this.save({ ...noVendorState, refusedBy: [...this.#state.refusedBy, channel.id] })
  }

  /** Has the calls that are left made here. */
  goOnHere(): Promise<StepOutcome> {
    return this.save({ step: 'here', completed: 0, failed: 0 }, this.#state.step === 'clean' ? {} : nowhere)
  }

  warn(error: UpstreamError, message: string): void {
    const { log } = this.deps.ctx
    const reason = mask(error.message, error.secrets)
    log.warn({ batch: this.name, channel: this.#task.channel_id, status: error.status, reason }, message)
  }
}

const nowhere = { channel_id: 0, channel_name: '', key_fingerprint: '', upstream_model: '', vendor_id: '' } as const
