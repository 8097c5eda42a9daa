import { hasEnded } from '@tollgate/contract'
import { batchApiAt, type VendorBatch } from '@tollgate/providers'

import type { TaskRow } from '../../../platform/store/tables'
import { mask } from '../../../platform/text/mask'
import type { UpstreamError } from '../../../channels/calls/upstream-error'
import { LineBook } from '../../../tasks/batches/batch-lines'
import { batchRow, type Batch } from '../../../tasks/batches/batch-store'
import { readBatchTerms, type BatchTerms } from '../../../tasks/batches/batch-terms'
import { readVendorState, saveVendorState, type VendorState } from '../../../tasks/batches/vendor-state'
import { accountOf } from '../../../tasks/task-account'
import { moveTask, type TaskChange } from '../../../tasks/task-store'
import type { TaskAccount } from '../../../tasks/vendor-call'
import type { RelayDeps } from '../../call-context'
import { chooseVendor, mayGoOn } from './choose-vendor'
import { collectResults } from './collect-results'
import { NotForVendor, VendorLines } from './vendor-line'
import { VendorRequests, type VendorResult } from './vendor-requests'
import { WrittenCalls } from './written-calls'

/** `here`: this gateway makes the calls that are left. `later`: there is something to do again from then on. `left`: another worker goes on. */
export type VendorOutcome =
  | { readonly kind: 'here' }
  | { readonly kind: 'later'; readonly dueAt: number }
  | { readonly kind: 'left'; readonly dueAt: null }

const here = { kind: 'here' } as const
const left = { kind: 'left', dueAt: null } as const

/** A step that fails as often is given up. */
const maxTries = 10
/** The same of results, which are paid for, and of questions that the vendor refuses: about an hour. */
const maxFetches = 60
const minPauseMs = 1000
const maxPauseMs = 60_000
/** Between two questions about a batch, which is late by a tenth of its time. */
const minPollMs = 2000
const lateness = 1 / 10
/** After its day, a vendor has this long to end a batch. */
const graceMs = 3_600_000
/** The vendor refuses the key, which its operator may have replaced there: the batch still runs. */
const keyRefusals: ReadonlySet<number> = new Set([401, 402, 403])
/** Clocks of vendors differ. */
const skewMs = 300_000

/**
 * Has a vendor make the calls of a batch, where the channel that would serve them has batches: one step after the other, each recorded before it is
 * taken, until there is nothing to do for the moment.
 */
export const runAtVendor = (batch: Batch, deps: RelayDeps, signal: AbortSignal): Promise<VendorOutcome> =>
  new VendorRun(batch, deps, signal).run()

/** What a step ends with; null: the next one follows at once. */
type StepOutcome = VendorOutcome | null

class VendorRun {
  #row: Batch['row']
  #task: TaskRow
  #state: VendorState
  readonly #terms: BatchTerms
  readonly #book: LineBook

  constructor(
    batch: Batch,
    private readonly deps: RelayDeps,
    private readonly signal: AbortSignal,
  ) {
    this.#row = batch.row
    this.#task = batch.task
    this.#state = readVendorState(batch.row)
    this.#terms = readBatchTerms(batch.row.terms)
    this.#book = new LineBook(deps.ctx, batch.row)
  }

  async run(): Promise<VendorOutcome> {
    const { query } = this.deps.ctx.database
    while (!this.signal.aborted) {
      const task = await query.selectFrom('tasks').selectAll().where('id', '=', this.#task.id).executeTakeFirst()
      if (!task || hasEnded(task)) return left
      this.#task = task
      const outcome = await this.#step()
      if (outcome) return outcome
    }
    return left
  }

  async #step(): Promise<StepOutcome> {
    const { step } = this.#state
    if (step === 'here') return here
    if (step === '') return this.#decide()
    const account = accountOf(this.deps.ctx, this.#task)
    const api =
      account && batchApiAt(account.channel.provider, { ...account.channel, setting: { vendor_batches: 'on' } })
    // Its account is gone.
    if (!account || !api) return this.#goOnHere()
    const vendor = new VendorRequests(this.deps, account, api, this.#state.headers)
    if (step === 'send') return this.#send(vendor)
    if (step === 'create') return this.#create(vendor)
    return step === 'wait' ? this.#wait(vendor) : this.#clean(vendor)
  }

  /** Chooses the channel. */
  async #decide(): Promise<StepOutcome> {
    const { ctx } = this.deps
    const { options } = ctx.catalog.current
    if (!options.BatchesAtVendors || !(await mayGoOn(this.#batch(), this.deps))) return this.#goOnHere()
    const choice = chooseVendor(this.#batch(), new Set(this.#state.refusedBy), this.deps)
    if (!choice) return this.#goOnHere()
    const { channel, key, model } = choice
    const pinned = {
      status: 'IN_PROGRESS',
      channel_id: channel.id,
      channel_name: channel.name,
      key_fingerprint: key.fingerprint,
      upstream_model: channel.modelMapping.get(model) ?? model,
      vendor_id: '',
      ...(this.#task.started_at === 0 && { started_at: ctx.clock.now() }),
    } as const
    return this.#save({ ...noState, refusedBy: this.#state.refusedBy, step: 'send' }, pinned)
  }

  /** Sends the calls. */
  async #send(vendor: VendorRequests): Promise<StepOutcome> {
    const { ctx } = this.deps
    const { api, account } = vendor
    if (this.#state.sentAt > 0) return this.#findSent(vendor)
    if (!(await mayGoOn(this.#batch(), this.deps))) return this.#goOnHere()
    const calls = new WrittenCalls(this.#row, this.#book, this.#lines(vendor), this.deps)
    const measured = await calls.measure(api).catch((error: unknown) => {
      if (error instanceof NotForVendor) return null
      throw error
    })
    if (!measured) return this.#goElsewhere(account)
    const { bytes, count, headers } = measured
    const lost = await this.#save({ ...this.#state, headers, lines: count, sentAt: ctx.clock.now() })
    if (lost) return lost
    const sender = new VendorRequests(this.deps, account, api, headers)
    const { files } = api
    const sent = { name: this.#name, bytes, lines: calls.write(api) }
    if (files) {
      const reply = await sender.submit(sent, files.readId, this.signal)
      return reply.kind === 'done' ? this.#hasFile(reply.value) : this.#retryLater(reply, vendor)
    }
    const reply = await sender.submit(sent, api.read, this.signal)
    return reply.kind === 'done' ? this.#accept(reply.value, vendor) : this.#retryLater(reply, vendor)
  }

  /** Looks for what was sent when its response was lost, before it is sent again. */
  async #findSent(vendor: VendorRequests): Promise<StepOutcome> {
    const { api, target } = vendor
    const { files } = api
    if (!files) return this.#findBatch(vendor, (batch) => this.#mayBeOwn(batch))
    const reply = await vendor.send(files.list(target), (body) => files.find(body, this.#name))
    if (reply.kind === 'lost') return this.#retryLater(reply, vendor)
    const [found] = reply.kind === 'done' ? reply.value : []
    return found === undefined ? this.#sendAgain(vendor) : this.#hasFile(found)
  }

  #hasFile(id: string): Promise<StepOutcome> {
    return this.#save({ ...this.#state, step: 'create', inputId: id, sentAt: 0, tries: 0 })
  }

  /** Makes a batch of the file of calls. */
  async #create(vendor: VendorRequests): Promise<StepOutcome> {
    const { ctx } = this.deps
    const { api, target } = vendor
    const { files } = api
    const { inputId } = this.#state
    if (!files) return this.#goOnHere()
    if (this.#state.sentAt > 0) return this.#findBatch(vendor, (batch) => batch.inputId === inputId)
    if (!(await mayGoOn(this.#batch(), this.deps))) {
      await this.#remove(vendor)
      return this.#goOnHere()
    }
    const lost = await this.#save({ ...this.#state, sentAt: ctx.clock.now() })
    if (lost) return lost
    const call = files.create({ id: inputId, path: this.#row.endpoint, name: this.#name }, target)
    const reply = await vendor.send(call, api.read)
    if (reply.kind === 'done') return this.#accept(reply.value, vendor)
    if (reply.kind === 'refused') await this.#remove(vendor)
    return this.#retryLater(reply, vendor)
  }

  async #findBatch(vendor: VendorRequests, isOwn: (batch: VendorBatch) => boolean): Promise<StepOutcome> {
    const { api, target } = vendor
    const reply = await vendor.send(api.list(target), api.readList)
    if (reply.kind === 'lost') return this.#retryLater(reply, vendor)
    const known = reply.kind === 'done' ? reply.value.filter(isOwn) : []
    const found = await this.#notOfOthers(known)
    if (!found) return this.#sendAgain(vendor)
    return this.#accept(found, vendor, api.files !== undefined)
  }

  /** A batch without a name is found by its time and its length; that it is this one is known by its results. */
  #mayBeOwn({ id, createdAt, total }: VendorBatch): boolean {
    const { sentAt, lines, otherIds } = this.#state
    return createdAt >= sentAt - skewMs && total === lines && !otherIds.includes(id)
  }

  async #notOfOthers(batches: readonly VendorBatch[]): Promise<VendorBatch | undefined> {
    if (batches.length === 0) return undefined
    const taken = await this.deps.ctx.database.query
      .selectFrom('tasks')
      .select('vendor_id')
      .where('platform', '=', this.#task.platform)
      .where(
        'vendor_id',
        'in',
        batches.map(({ id }) => id),
      )
      .where('id', '!=', this.#task.id)
      .execute()
    const ids = new Set(taken.map((task) => task.vendor_id))
    return batches.find(({ id }) => !ids.has(id))
  }

  #sendAgain({ account }: VendorRequests): Promise<StepOutcome> {
    const tries = this.#state.tries + 1
    if (tries > maxTries) return this.#goElsewhere(account)
    return this.#save({ ...this.#state, sentAt: 0, tries })
  }

  /** Records the vendor's batch. One that another worker has sent too is cancelled, as no worker would ask about it. */
  async #accept(batch: VendorBatch, vendor: VendorRequests, isProven = true): Promise<StepOutcome> {
    const { ctx } = this.deps
    const { id } = batch
    const lost = await this.#save({ ...this.#state, step: 'wait', batchId: id, tries: 0, isProven }, { vendor_id: id })
    if (lost) {
      const row = await batchRow(ctx.database.query, this.#name)
      const isKnown = row !== undefined && readVendorState(row).batchId === id
      if (isProven && !isKnown) await vendor.send(vendor.api.cancel(id, vendor.target), anything)
      return lost
    }
    return null
  }

  /** Asks how the batch is doing. */
  async #wait(vendor: VendorRequests): Promise<StepOutcome> {
    const { ctx } = this.deps
    const { api, target, account } = vendor
    const { batchId, isCancelSent, isProven, sentAt } = this.#state
    const now = ctx.clock.now()
    if (isProven && !isCancelSent && !(await mayGoOn(this.#batch(), this.deps))) {
      const reply = await vendor.send(api.cancel(batchId, target), anything)
      // One that is refused has ended.
      if (reply.kind === 'lost') return this.#retryLater(reply, vendor)
      return this.#save({ ...this.#state, isCancelSent: true, tries: 0 })
    }
    const reply = await vendor.send(api.retrieve(batchId, target), api.read)
    const isLate = this.#task.deadline_at + graceMs <= now
    if (reply.kind !== 'done') {
      const isRefused = reply.kind === 'refused'
      const isGone = isRefused && !keyRefusals.has(reply.error.status)
      // It was deleted there, or is not waited for any more.
      if (isGone || isLate || (isRefused && this.#state.tries >= maxFetches)) return this.#giveUp(vendor)
      return this.#retryLater({ kind: 'lost', error: reply.error }, { account, max: Infinity })
    }
    const batch = reply.value
    if (batch.state === 'refused') {
      ctx.log.warn({ batch: this.#name, channel: account.channel.id, reason: batch.reason }, 'a vendor refuses a batch')
      await this.#remove(vendor)
      return this.#goElsewhere(account)
    }
    if (batch.state === 'running') {
      if (isLate) return this.#giveUp(vendor)
      if (this.#state.tries > 0) {
        const lost = await this.#save({ ...this.#state, tries: 0 })
        if (lost) return lost
      }
      const progress = Math.min(99, Math.floor((batch.done / Math.max(1, batch.total)) * 100))
      await moveTask(ctx.database.query, this.#task.id, { progress })
      const pauseMs = Math.max(minPollMs, Math.min(maxPauseMs, (now - sentAt) * lateness))
      return { kind: 'later', dueAt: now + pauseMs }
    }
    return this.#collect(vendor, batch)
  }

  /** Fetches the results of a batch that has ended, and charges each. */
  async #collect(vendor: VendorRequests, batch: VendorBatch): Promise<StepOutcome> {
    const lines = this.#lines(vendor)
    const parts = { batch: this.#batch(), book: this.#book, terms: this.#terms, deps: this.deps }
    const collected = await collectResults({ ...parts, vendor, lines, signal: this.signal }, batch)
    if (collected.kind === 'failed') {
      // What the vendor made cannot be had.
      if (this.#state.tries >= maxFetches) return this.#giveUp(vendor, batch.resultIds)
      return this.#retryLater({ kind: 'lost', error: collected.error }, { account: vendor.account, max: Infinity })
    }
    if (collected.kind === 'interrupted') return left
    if (collected.kind === 'foreign' && !this.#state.isProven) {
      const otherIds = [...this.#state.otherIds, batch.id]
      return this.#save({ ...this.#state, step: 'send', batchId: '', otherIds }, { vendor_id: '' })
    }
    return this.#save({ ...this.#state, step: 'clean', resultIds: batch.resultIds, tries: 0, isProven: true })
  }

  /** Deletes what the vendor still has of it. What is left to do is done here: to end it, or to make the calls that the vendor did not. */
  async #clean(vendor: VendorRequests): Promise<StepOutcome> {
    const error = await this.#remove(vendor)
    if (error) {
      if (this.#state.tries < maxTries) return this.#retryLater({ kind: 'lost', error }, vendor)
      this.#warn(error, 'a batch could not be deleted at its vendor')
    }
    return this.#goOnHere()
  }

  /** Waits for the vendor no longer. */
  async #giveUp(vendor: VendorRequests, resultIds: readonly string[] = []): Promise<StepOutcome> {
    if (this.#state.isProven) {
      const error = await this.#remove(vendor, resultIds)
      if (error) this.#warn(error, 'a batch could not be deleted at its vendor')
    }
    return this.#goOnHere()
  }

  /** Resolves with why the vendor may still have something of it; null: it has nothing. */
  async #remove(vendor: VendorRequests, resultIds = this.#state.resultIds): Promise<UpstreamError | null> {
    const { api, target } = vendor
    const { inputId, batchId } = this.#state
    const { files } = api
    const listed = files && (await vendor.send(files.list(target), (body) => files.find(body, this.#name)))
    // Also what was sent when its response was lost.
    const inputs = [...new Set([inputId, ...(listed?.kind === 'done' ? listed.value : [])])]
    const calls = inputs.flatMap((id, index) =>
      api.remove({ id: batchId, inputId: id, resultIds: index === 0 ? resultIds : [] }, target),
    )
    let failure: UpstreamError | null = null
    for (const call of calls) {
      const reply = await vendor.send(call, anything)
      if (reply.kind === 'lost') failure = reply.error
    }
    return failure
  }

  /** Takes the step again in a while; chooses another channel where the vendor refuses it. */
  async #retryLater(
    { kind, error }: Exclude<VendorResult<unknown>, { readonly kind: 'done' }>,
    { account, max = maxTries }: { readonly account: TaskAccount; readonly max?: number },
  ): Promise<StepOutcome> {
    const tries = this.#state.tries + 1
    this.#warn(error, 'a vendor could not be asked about a batch')
    if (kind === 'refused' || tries > max) return this.#goElsewhere(account)
    const lost = await this.#save({ ...this.#state, tries })
    if (lost) return lost
    const { retryAfterSeconds = 0 } = error
    const pauseMs = Math.min(maxPauseMs, Math.max(retryAfterSeconds * 1000, minPauseMs * 2 ** Math.min(tries, 10)))
    return { kind: 'later', dueAt: this.deps.ctx.clock.now() + pauseMs }
  }

  /** The channel does not take it. */
  #goElsewhere({ channel }: TaskAccount): Promise<StepOutcome> {
    return this.#save({ ...noState, refusedBy: [...this.#state.refusedBy, channel.id] })
  }

  /** Makes the calls that are left here. */
  #goOnHere(): Promise<StepOutcome> {
    return this.#save({ ...this.#state, step: 'here' }, this.#state.step === 'clean' ? {} : nowhere)
  }

  get #name(): string {
    return this.#row.task_id
  }

  #lines({ account }: VendorRequests): VendorLines {
    return new VendorLines(this.deps, this.#batch(), account, this.#terms)
  }

  #batch(): Batch {
    return { task: this.#task, row: this.#row }
  }

  /** Records the next step. Resolves with null, or with what to do where another worker was faster. */
  async #save(state: VendorState, change: TaskChange = {}): Promise<StepOutcome> {
    const vendor = await saveVendorState(this.deps.ctx.database.query, this.#batch(), state, change)
    if (vendor === null) return left
    this.#row = { ...this.#row, vendor }
    this.#state = state
    return null
  }

  #warn(error: UpstreamError, message: string): void {
    const { log } = this.deps.ctx
    const reason = mask(error.message, error.secrets)
    log.warn({ batch: this.#name, channel: this.#task.channel_id, status: error.status, reason }, message)
  }
}

const nowhere = { channel_id: 0, channel_name: '', key_fingerprint: '', upstream_model: '', vendor_id: '' } as const

/** Nothing of the reply is needed. */
const anything = () => null

const noState = readVendorState({ vendor: '{}' })
