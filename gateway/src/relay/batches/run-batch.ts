import { hasEnded } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import type { Charge } from '../../billing/ledger/ledger'
import type { Catalog } from '../../channels/catalog/catalog'
import { waitUnless } from '../../platform/time/timers'
import { batchRow, type Batch } from '../../tasks/batches/batch-store'
import { LineBook, lineState, waitingLines, type LineRow } from '../../tasks/batches/batch-lines'
import { heldFor, pinnedPrices, readBatchTerms, type BatchTerms } from '../../tasks/batches/batch-terms'
import { closeLines, endBatch, type BatchEnd } from '../../tasks/batches/end-batch'
import { lineId, settleLine } from '../../tasks/batches/settle-line'
import { isCancelled } from '../../tasks/task-view'
import { moveTask } from '../../tasks/task-store'
import { readTerms } from '../../tasks/task-terms'
import type { RelayDeps } from '../call-context'
import { endpointAt } from '../stages/endpoint'
import { LongWork } from '../in-flight/long-work'
import { lineCall, lineRequest, type LineCallFacts } from './prepare-line'
import { requestIn, resultWriter, type LineEnd, type ResultWriter } from './line-results'
import { runLine } from './run-line'

/** Lines that are read at once, for each of those that run at once. */
const readAhead = 4
/** A line whose vendor fails as often has failed. */
const maxTries = 3
const minPauseMs = 1000
const maxPauseMs = 60_000

/**
 * Has the calls of a batch made, by a vendor that has batches or here, until none is left, it is cancelled or its time is over. Resolves also
 * when the signal is aborted, after the calls under way. Resolves with when there is something to do again, where a vendor makes them.
 */
export async function runBatch(batch: Batch, deps: RelayDeps, signal: AbortSignal): Promise<number | null> {
  if (readBatchTerms(batch.row.terms).isForVendors) {
    // Loaded with the first batch that may go to a vendor.
    const { runAtVendor } = await import('./vendor/run-at-vendor')
    const outcome = await runAtVendor(batch, deps, signal)
    if (outcome.kind !== 'here') return outcome.dueAt
  }
  await new BatchRun(batch, deps).run(signal)
  return null
}

/** Makes the calls of a batch here, a few at once. */
class BatchRun {
  readonly #book: LineBook
  readonly #terms: BatchTerms
  readonly #write: ResultWriter
  readonly #facts: LineCallFacts
  /** How often lines failed for reasons that may pass. */
  readonly #tries = new Map<number, number>()
  readonly #work: LongWork
  #callsInFlight = 0
  #keyHash = ''
  /** The snapshot of the catalog with the prices of the batch. */
  #pinned: { readonly own: Catalog; readonly catalog: Catalog } | null = null

  constructor(
    private readonly batch: Batch,
    private readonly deps: RelayDeps,
  ) {
    const { row, task } = batch
    this.#book = new LineBook(deps.ctx, row)
    this.#terms = readBatchTerms(row.terms)
    this.#work = new LongWork(deps.inFlight)
    this.#facts = {
      batchId: task.public_id,
      path: row.endpoint,
      request: lineRequest(row.endpoint, this.#terms.headers),
      clientIp: readTerms(task.terms).clientIp,
      language: 'en',
    }
    this.#write = resultWriter(row.dialect, endpointAt(row.endpoint)?.endpoint.dialect ?? 'openai-chat')
  }

  async run(signal: AbortSignal): Promise<void> {
    const { catalog, clock, database, timers } = this.deps.ctx
    const { id, public_id: publicId, token_id: tokenId } = this.batch.task
    const { query } = database
    await moveTask(query, id, { status: 'IN_PROGRESS', started_at: clock.now() }, 'NOT_START')
    const key = await query.selectFrom('tokens').select('key_hash').where('id', '=', tokenId).executeTakeFirst()
    this.#keyHash = key?.key_hash ?? ''
    for (let pauseMs = minPauseMs; !signal.aborted;) {
      const task = await query.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
      if (!task || hasEnded(task)) return
      await this.#showProgress()
      if (isCancelled(task)) return this.#close('cancelled', { status: 'CANCEL', reason: { code: 'task.cancelled' } })
      if (task.deadline_at <= clock.now())
        return this.#close('expired', { status: 'FAILURE', reason: { code: 'task.timeout' } })
      const atOnce = catalog.current.options.BatchLinesAtOnce
      const rows = await waitingLines(query, publicId, atOnce * readAhead)
      if (rows.length === 0) return void (await endBatch(this.deps.ctx, this.batch, { status: 'SUCCESS' }))
      if (!(await this.#runAll(rows, atOnce, signal))) {
        pauseMs = minPauseMs
        continue
      }
      // Calls whose clients wait come first.
      await waitUnless(timers, pauseMs, signal)
      pauseMs = Math.min(maxPauseMs, pauseMs * 2)
    }
  }

  /** For the list of tasks. */
  async #showProgress(): Promise<void> {
    const { query } = this.deps.ctx.database
    const { id, public_id: publicId } = this.batch.task
    const row = await batchRow(query, publicId)
    if (!row) return
    const { total, completed, failed } = row
    const progress = Math.floor(((completed + failed) / Math.max(1, total)) * 100)
    await moveTask(query, id, { progress, prompt_en: `${completed} ✓ ${failed} ✗ / ${total}` })
  }

  /** Writes results for the lines that were not made, and ends the batch. */
  async #close(kind: 'cancelled' | 'expired', end: BatchEnd): Promise<void> {
    const { ctx } = this.deps
    const { public_id: id } = this.batch.task
    await closeLines(ctx, this.batch, this.#book, lineState[kind], (text, line) =>
      this.#write(requestIn(text), lineId(id, line), { kind }),
    )
    await endBatch(ctx, this.batch, end)
  }

  /** Makes these calls. Resolves with whether one of them had no room; the others are not begun then. */
  async #runAll(rows: readonly LineRow[], atOnce: number, signal: AbortSignal): Promise<boolean> {
    const waiting = [...rows]
    let isFull = false
    const work = async () => {
      try {
        for (let row = waiting.shift(); row && !isFull && !signal.aborted; row = waiting.shift())
          isFull = (await this.#runOne(row)) || isFull
      } finally {
        // Where one breaks off the others begin no more.
        waiting.length = 0
      }
    }
    const works = Array.from({ length: atOnce }, work)
    // Calls under way end before their batch does, also where one breaks off.
    await Promise.allSettled(works)
    await Promise.all(works)
    return isFull
  }

  /** Makes the call of a line and keeps its result. Resolves with whether it had no room. */
  async #runOne(row: LineRow): Promise<boolean> {
    const { ctx } = this.deps
    const { row: batch, task } = this.batch
    const request = requestIn(this.#book.open(row.line, lineState.waiting, row.content))
    const requestId = lineId(task.public_id, row.line)
    const call = lineCall(this.#facts, requestId, this.#catalog(), ctx)
    if (!call) throw new AppError('endpoint.unsupported', { params: { path: batch.endpoint } })
    const held = heldFor(row, this.#terms)
    const text = JSON.stringify(request.body)
    this.#callsInFlight += 1
    const turn = { call, keyHash: this.#keyHash, text, held, unixMs: task.submitted_at }
    const outcome = await runLine(turn, this.deps).finally(() => (this.#callsInFlight -= 1))
    if (outcome.kind === 'later') {
      const tries = (this.#tries.get(row.line) ?? 0) + 1
      if (outcome.isFull || tries < maxTries) {
        if (!outcome.isFull) this.#tries.set(row.line, tries)
        return true
      }
    }
    this.#tries.delete(row.line)
    const isServed = outcome.kind === 'served'
    const end: LineEnd = isServed
      ? { kind: 'served', body: outcome.body }
      : { kind: 'failed', failure: outcome.failure }
    const charge = isServed ? outcome.charge : null
    const result = this.#write(request, requestId, end)
    await settleLine(ctx, this.batch, row, {
      text: result,
      charge,
      windows: charge ? windowsOf(charge, call.catalog) : [],
      book: this.#book,
      terms: this.#terms,
    })
    this.#work.step(text.length + result.length, this.#callsInFlight)
    return false
  }

  #catalog(): Catalog {
    const own = this.deps.ctx.catalog.current
    if (this.#pinned?.own !== own)
      this.#pinned = { own, catalog: { ...own, prices: own.prices.withPinned(pinnedPrices(this.#terms)) } }
    return this.#pinned.catalog
  }
}

/** Returns the windows of the channel and key that served a call. */
const windowsOf = ({ entry }: Charge, { channelWindows }: Catalog): readonly LimitWindow[] =>
  channelWindows.get(entry.channelId)?.get(entry.upstreamKey ?? '') ?? []
