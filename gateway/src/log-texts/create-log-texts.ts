import { setImmediate as turn } from 'node:timers/promises'

import type { Logger } from 'pino'

import type { Clock } from '../clock'
import type { Database } from '../store/database'
import type { Seal } from '../store/seal'
import type { CallTexts, DropReason, LogTexts } from './log-texts'
import { heldTexts, textsRow, type HeldTexts } from './stored-texts'

export interface LogTextsOptions {
  readonly database: Database
  readonly seal: Seal
  readonly clock: Clock
  readonly log: Logger
  readonly onDropped: (reason: DropReason, count: number) => void
  /** Resolves after some milliseconds. */
  readonly wait?: (ms: number) => Promise<void>
  readonly bounds?: Partial<TextBounds>
}

interface TextBounds {
  readonly entries: number
  readonly bytes: number
  /** From the charge on. */
  readonly milliseconds: number
}

const usualBounds: TextBounds = { entries: 10_000, bytes: 32 * 1024 * 1024, milliseconds: 5 * 60_000 }
/** Of one statement. Small enough that with SQLite, where all statements take turns, a charge never waits long. */
const atOnce = { entries: 32, bytes: 256 * 1024 }
const shortestBackOffMs = 100
const longestBackOffMs = 5000
const closeMs = 5000

export function createLogTexts(options: LogTextsOptions): LogTexts {
  const queue = new TextQueue(options)
  return {
    add: (texts) => queue.add(texts),
    get queued() {
      return { entries: queue.entries, bytes: queue.bytes }
    },
    close: () => queue.close(),
  }
}

interface Waiting extends HeldTexts {
  readonly since: number
}

/** When more waits than may, the oldest are given up: after an outage somebody wants to see what is being said now. */
class TextQueue {
  bytes = 0
  #waiting: Waiting[] = []
  /** In the statement that runs; they still take memory. */
  #underway: readonly Waiting[] = []
  #limit = atOnce.entries
  #failures = 0
  #lost = 0
  #isClosed = false
  #running: Promise<void> | null = null
  readonly #bounds: TextBounds
  readonly #wait: (ms: number) => Promise<void>

  constructor(private readonly options: LogTextsOptions) {
    this.#bounds = { ...usualBounds, ...options.bounds }
    this.#wait = options.wait ?? Bun.sleep
  }

  get entries(): number {
    return this.#waiting.length + this.#underway.length
  }

  add(texts: CallTexts): void {
    if (this.#isClosed) return this.#lose('closed', 1)
    const held = { ...heldTexts(texts), since: this.options.clock.monotonic() }
    this.#waiting.push(held)
    this.bytes += held.bytes
    this.#dropOldest('full', () => this.entries > this.#bounds.entries || this.bytes > this.#bounds.bytes)
    this.#running ??= this.#run()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.race([this.#running, this.#wait(closeMs)])
    const left = this.entries
    this.#waiting = []
    this.#underway = []
    this.bytes = 0
    if (left > 0) this.#lose('closed', left)
  }

  async #run(): Promise<void> {
    // A local database answers without ever letting go of the thread, which others need in between.
    await turn()
    while (this.#waiting.length > 0) {
      this.#dropOldest('late', ({ since }) => this.options.clock.monotonic() - since > this.#bounds.milliseconds)
      this.#underway = this.#takeSome()
      if (this.#underway.length === 0) break
      try {
        await writeTexts(this.options, this.#underway)
        this.#written()
        await turn()
      } catch (error) {
        await this.#putOff(error)
      }
    }
    this.#running = null
  }

  #takeSome(): Waiting[] {
    let count = 0
    let bytes = 0
    for (const held of this.#waiting) {
      bytes += held.bytes
      if (count >= this.#limit || (count > 0 && bytes > atOnce.bytes)) break
      count += 1
    }
    return this.#waiting.splice(0, count)
  }

  #written() {
    for (const { bytes } of this.#underway) this.bytes -= bytes
    this.#underway = []
    if (this.#failures > 0) this.options.log.info({ dropped: this.#lost }, 'texts of calls are written again')
    this.#failures = 0
    this.#lost = 0
    this.#limit = Math.min(atOnce.entries, this.#limit * 2)
  }

  /** The next batch is smaller, until one alone is refused; the others go before that one. */
  async #putOff(error: unknown) {
    const refused = this.#underway
    // Closed meanwhile: they are given up already.
    if (refused.length === 0) return
    this.#underway = []
    if (refused.length === 1) this.#waiting.push(...refused)
    else this.#waiting.unshift(...refused)
    this.#limit = Math.max(1, Math.floor(refused.length / 4))
    if (this.#failures === 0) this.options.log.warn({ error }, 'texts of calls could not be written; it is tried again')
    this.#failures += 1
    await this.#wait(Math.min(longestBackOffMs, shortestBackOffMs * 2 ** Math.min(this.#failures, 10)))
  }

  #dropOldest(reason: DropReason, isTooMuch: (oldest: Waiting) => boolean) {
    for (let [oldest] = this.#waiting; oldest && isTooMuch(oldest); [oldest] = this.#waiting) {
      this.#waiting.shift()
      this.bytes -= oldest.bytes
      this.#lose(reason, 1)
    }
  }

  #lose(reason: DropReason, count: number) {
    this.#lost += count
    this.options.onDropped(reason, count)
  }
}

const writeTexts = async ({ database, seal }: LogTextsOptions, batch: readonly Waiting[]) => {
  await database.query
    .insertInto('log_texts')
    .values(batch.map((held) => textsRow(held, seal)))
    .onConflict((conflict) => conflict.column('request_id').doNothing())
    .execute()
}
