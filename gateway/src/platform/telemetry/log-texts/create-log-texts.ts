import type { Logger } from 'pino'

import { BatchQueue } from '../../batching/batch-queue'
import { WaitingList, type DropReason } from '../../batching/waiting-list'
import type { Clock } from '../../time/clock'
import type { Database } from '../../store/database'
import type { Seal } from '../../store/seal'
import { within, type Timers } from '../../time/timers'
import type { LogTexts } from './log-texts'
import { heldTexts, textsRow, type HeldTexts } from './stored-texts'

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

export function createLogTexts(options: LogTextsOptions): LogTexts {
  const { clock, log, onDropped, timers } = options
  const bounds = { ...usualBounds, ...options.bounds }
  /** Since the database was last seen. */
  let dropped = 0
  const list = new WaitingList<HeldTexts>({
    maxEntries: bounds.entries,
    maxBytes: bounds.bytes,
    batchBytes: atOnce.bytes,
    bytesOf: ({ bytes }) => bytes,
    age: { maxMs: bounds.milliseconds, clock },
    onDropped({ length }, reason) {
      dropped += length
      onDropped(reason, length)
    },
  })
  const queue = new BatchQueue<HeldTexts>({
    source: list,
    write: (batch) => writeTexts(options, batch),
    maxAtOnce: atOnce.entries,
    backOff,
    // A local database never yields to the event loop, which others need in between.
    gatherMs: 0,
    timers,
    onFailure(error, failures) {
      if (failures === 1) log.warn({ error }, 'texts of calls could not be written; retrying')
    },
    onRecovered() {
      log.info({ dropped }, 'texts of calls are written again')
      dropped = 0
    },
  })
  return {
    add(texts) {
      list.add(heldTexts(texts))
      queue.wake()
    },
    get queued() {
      return { entries: list.length, bytes: list.bytes }
    },
    async close() {
      await within(timers, closeMs, queue.whenIdle(), undefined)
      void queue.stop()
    },
  }
}

async function writeTexts({ database, seal }: LogTextsOptions, batch: readonly HeldTexts[]): Promise<void> {
  await database.query
    .insertInto('log_texts')
    .values(batch.map((held) => textsRow(held, seal)))
    .onConflict((conflict) => conflict.column('request_id').doNothing())
    .execute()
}
