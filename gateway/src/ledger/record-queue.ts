import type { Database } from '../store/database'
import { createAddToRollups } from './add-to-rollups'
import { storable } from './charge-record'
import { insertLogs } from './charge-statements'
import type { LogEntry } from './ledger'
import { errorRollupRows, logRow } from './log-rows'
import { createRecordMeasures } from './measured'
import type { Timers } from './timers'
import { logType } from '@tollgate/contract'

interface Recorded {
  readonly requestId: string
  readonly entry: LogEntry
  readonly isLogged: boolean
}

const longest = 10_000
const mostAtOnce = 256
const triesAtMost = 5
const backOffMs = 200

/** Log rows that move no money. When they cannot be written fast enough the oldest are dropped and counted, nobody waits. */
export class RecordQueue {
  #queue: Recorded[] = []
  #isRunning = false
  #dropped = 0
  #idle: (() => void)[] = []
  readonly #insertLogs
  readonly #addToRollups
  readonly #recordMeasures

  constructor(
    readonly database: Database,
    readonly services: { readonly timers: Timers; onFailure(error: unknown): void },
  ) {
    this.#insertLogs = insertLogs(database.query)
    this.#addToRollups = createAddToRollups(database)
    this.#recordMeasures = createRecordMeasures(database.query)
  }

  get dropped(): number {
    return this.#dropped
  }

  add(requestId: string, entry: LogEntry, isLogged = true): void {
    if (this.#queue.length >= longest) {
      this.#queue.shift()
      this.#dropped += 1
    }
    this.#queue.push({ requestId, entry: storable(entry), isLogged })
    if (this.#isRunning) return
    this.#isRunning = true
    this.services.timers.soon(() => void this.#run())
  }

  whenIdle(): Promise<void> {
    return this.#isRunning ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve()
  }

  async #run() {
    while (this.#queue.length > 0) await this.#writePatiently(this.#queue.splice(0, mostAtOnce))
    this.#isRunning = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #writePatiently(batch: readonly Recorded[]) {
    for (let attempt = 1; attempt <= triesAtMost; attempt += 1) {
      try {
        return await this.#write(batch)
      } catch (error) {
        this.services.onFailure(error)
        await this.services.timers.wait(backOffMs * 2 ** attempt)
      }
    }
    this.#dropped += batch.length
  }

  #write(batch: readonly Recorded[]) {
    const logged = batch.filter(({ isLogged }) => isLogged)
    const errors = batch.filter(({ entry }) => entry.type === logType.error).map(({ entry }) => entry)
    return this.database.query.transaction().execute(async (transaction) => {
      await this.#insertLogs.run(
        transaction,
        logged.map(({ requestId, entry }) => logRow(requestId, entry, 0)),
      )
      await this.#addToRollups(transaction, errorRollupRows(errors))
      await this.#recordMeasures(transaction, errors)
    })
  }
}
