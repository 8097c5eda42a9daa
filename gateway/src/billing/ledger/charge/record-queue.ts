import { BatchQueue } from '../../../platform/batching/batch-queue'
import { WaitingList } from '../../../platform/batching/waiting-list'
import type { Clock } from '../../../platform/time/clock'
import type { Database } from '../../../platform/store/database'
import { within, type Timers } from '../../../platform/time/timers'
import { createAddToRollups, insertLogs } from './charge-statements'
import { storable } from './charge-record'
import type { LogEntry } from '../ledger'
import { errorRollupRows, logRow } from './log-rows'
import { createRecordMeasures } from './measure-batch'

interface Recorded {
  readonly requestId: string
  readonly entry: LogEntry
  readonly isLogged: boolean
}

const maxWaiting = 10_000
const maxAtOnce = 256
const maxWaitMs = 5 * 60_000
const backOff = { minMs: 400, maxMs: 5000 }

export interface RecordQueueOptions {
  readonly clock: Clock
  readonly timers: Timers
  readonly onFailure: (error: unknown) => void
}

/** Log rows that move no money. Those that cannot be written are dropped and counted; no call waits for them. */
export class RecordQueue {
  #dropped = 0
  readonly #timers: Timers
  readonly #list: WaitingList<Recorded>
  readonly #queue: BatchQueue<Recorded>

  constructor(database: Database, { clock, timers, onFailure }: RecordQueueOptions) {
    this.#timers = timers
    this.#list = new WaitingList({
      maxEntries: maxWaiting,
      age: { maxMs: maxWaitMs, clock },
      onDropped: ({ length }) => void (this.#dropped += length),
    })
    this.#queue = new BatchQueue({
      source: this.#list,
      write: createWriteRecords(database),
      maxAtOnce,
      gatherMs: 0,
      backOff,
      timers,
      onFailure,
    })
  }

  get dropped(): number {
    return this.#dropped
  }

  add(requestId: string, entry: LogEntry, isLogged = true): void {
    this.#list.add({ requestId, entry: storable(entry), isLogged })
    this.#queue.wake()
  }

  /** Writes what waits, as far as that goes in time. */
  async close(timeoutMs: number): Promise<void> {
    await within(this.#timers, timeoutMs, this.#queue.whenIdle(), undefined)
    void this.#queue.stop()
  }
}

function createWriteRecords(database: Database) {
  const insert = insertLogs(database.query)
  const addToRollups = createAddToRollups(database)
  const recordMeasures = createRecordMeasures(database.query)
  return (batch: readonly Recorded[]): Promise<void> => {
    const logged = batch.filter(({ isLogged }) => isLogged)
    const errors = batch.filter(({ entry }) => entry.errorCode !== undefined).map(({ entry }) => entry)
    return database.query.transaction().execute(async (transaction) => {
      await insert.run(
        transaction,
        logged.map(({ requestId, entry }) => logRow(requestId, entry, 0)),
      )
      await addToRollups(transaction, errorRollupRows(errors))
      await recordMeasures(transaction, errors)
    })
  }
}
