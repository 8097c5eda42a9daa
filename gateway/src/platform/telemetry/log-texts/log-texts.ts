import type { Logger } from 'pino'

import { BatchQueue } from '../../batching/batch-queue'
import { WaitingList, type DropReason } from '../../batching/waiting-list'
import type { Clock } from '../../time/clock'
import type { Database } from '../../store/database'
import type { Seal } from '../../store/seal'
import { within, type Timers } from '../../time/timers'
import { heldTexts, textsRow, type CallTexts, type HeldTexts } from './stored-texts'

export interface LogTextsOptions {
  readonly database: Database
  readonly seal: Seal
  readonly clock: Clock
  readonly log: Logger
  readonly onDropped: (reason: DropReason, count: number) => void
  readonly timers: Timers
  readonly bounds?: Partial<TextBounds>
}

interface TextBounds {
  readonly entries: number
  readonly bytes: number
  /** From the charge on, while the database is away. */
  readonly milliseconds: number
}

const usualBounds: TextBounds = { entries: 10_000, bytes: 32 * 1024 * 1024, milliseconds: 5 * 60_000 }
/** Limits of one statement. Small enough that with SQLite, where all statements take turns, a charge never waits long. */
const atOnce = { entries: 32, bytes: 256 * 1024 }
const backOff = { minMs: 200, maxMs: 5000 }
const closeMs = 5000

/**
 * The queue of conversations for the database, for sites that log them. They are apart from the charges, which are never dropped: a full
 * disk, a slow database or a crash costs texts and no money.
 */
export class LogTexts {
  readonly #timers: Timers
  readonly #list: WaitingList<HeldTexts>
  readonly #queue: BatchQueue<HeldTexts>
  /** Since the database was last seen. */
  #dropped = 0

  constructor(options: LogTextsOptions) {
    const { clock, log, onDropped, timers } = options
    const bounds = { ...usualBounds, ...options.bounds }
    this.#timers = timers
    this.#list = new WaitingList<HeldTexts>({
      maxEntries: bounds.entries,
      maxBytes: bounds.bytes,
      batchBytes: atOnce.bytes,
      bytesOf: ({ bytes }) => bytes,
      age: { maxMs: bounds.milliseconds, clock },
      onDropped: ({ length }, reason) => {
        this.#dropped += length
        onDropped(reason, length)
      },
    })
    this.#queue = new BatchQueue<HeldTexts>({
      source: this.#list,
      write: (batch) => writeTexts(options, batch),
      maxAtOnce: atOnce.entries,
      backOff,
      // A local database never yields to the event loop, which others need in between.
      gatherMs: 0,
      timers,
      onFailure: (error, failures) => {
        if (failures === 1) log.warn({ error }, 'texts of calls could not be written; retrying')
      },
      onRecovered: () => {
        log.info({ dropped: this.#dropped }, 'texts of calls are written again')
        this.#dropped = 0
      },
    })
  }

  /** The queue in memory. */
  get queued(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#list.length, bytes: this.#list.bytes }
  }

  /** Takes the texts of a charged call. Never blocks and never fails the caller. */
  add(texts: CallTexts): void {
    this.#list.add(heldTexts(texts))
    this.#queue.wake()
  }

  /** Writes the queue, as far as possible in the given time. Afterwards nothing is accepted. */
  async close(): Promise<void> {
    await within(this.#timers, closeMs, this.#queue.whenIdle(), undefined)
    void this.#queue.stop()
  }
}

async function writeTexts({ database, seal }: LogTextsOptions, batch: readonly HeldTexts[]): Promise<void> {
  await database.query
    .insertInto('log_texts')
    .values(batch.map((held) => textsRow(held, seal)))
    .onConflict((conflict) => conflict.column('request_id').doNothing())
    .execute()
}
