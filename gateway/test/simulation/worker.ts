import { pino } from 'pino'

import { openJournal, type Journal } from '../../src/billing/ledger/journal/journal'
import { openLedger, type LedgerWorker } from '../../src/billing/ledger/open-ledger'
import type { HeldReservation } from '../../src/billing/ledger/lease/reservations'
import { LostConnection } from '../faulty-database'
import type { Dice } from './dice'
import { Process, type VirtualTime } from './process'
import type { Fate, SimulatedStore } from './simulated-store'

export interface WorkerSurroundings {
  readonly time: VirtualTime
  readonly dice: Dice
  readonly store: SimulatedStore
  /** Returns the fate of an operation on the journal, and whether the worker dies of it. */
  fateOfJournal(): { readonly fate: Exclude<Fate, 'late'>; readonly isDeadly: boolean }
  onKilled(worker: Worker): void
}

const silent = pino({ level: 'silent' })
const sweepMs = 500
const beatMs = 5000

/** One worker of one node: a process with a ledger. */
export class Worker {
  readonly process: Process
  ledger: LedgerWorker | null = null
  /** It is stopping. */
  isClosing = false
  #journal: Journal | null = null
  /** Calls that it serves. */
  readonly running = new Set<HeldReservation>()
  /** Calls, and tasks, that wait for it: no client sends more than a database can serve. */
  readonly waiting = { calls: 0, tasks: 0 }

  constructor(
    readonly id: string,
    readonly node: { readonly nodeId: string; readonly journalFolder: string },
    readonly surroundings: WorkerSurroundings,
  ) {
    this.process = new Process(id, surroundings.time)
  }

  get isServing(): boolean {
    return this.ledger !== null && !this.isClosing && this.process.isRunning
  }

  /** @throws what the database throws when it does not respond. */
  async start(): Promise<void> {
    const { store, dice } = this.surroundings
    const ledger = await openLedger({
      ...this.node,
      database: store.databaseOf(this.process),
      clock: this.process.clock,
      random: dice,
      log: silent,
      workerId: this.id,
      durability: 'process',
      timers: this.process.timers,
      openJournal: this.#openJournal,
    })
    if (this.process.isDead) return
    this.ledger = ledger
    this.#every(sweepMs, () => ledger.sweep())
    this.#every(beatMs, () => ledger.beat())
  }

  /** Kills the process; its disk stays. */
  die(): void {
    if (this.process.isDead) return
    this.process.die()
    this.#journal?.close()
    this.running.clear()
  }

  /** As the real timers of a worker: work that takes longer than its interval is not begun twice. */
  #every(ms: number, work: () => Promise<void>) {
    let isAtWork = false
    const tick = () => {
      if (this.isClosing) return
      this.process.timers.after(ms, tick)
      if (isAtWork) return
      isAtWork = true
      void work().finally(() => (isAtWork = false))
    }
    this.process.timers.after(ms, tick)
  }

  readonly #openJournal: typeof openJournal = (path, durability) => {
    const journal = openJournal(path, durability)
    this.#journal = journal
    return {
      append: (records, nowMs) => this.#onDisk(() => journal.append(records, nowMs)),
      read: (after, max) => journal.read(after, max),
      remove: (charges) => this.#onDisk(() => journal.remove(charges)),
      probe: () => this.#onDisk(() => journal.probe()),
      get depth() {
        return journal.depth
      },
      get last() {
        return journal.last
      },
      oldestMs: () => journal.oldestMs(),
      close: () => {
        if (!this.process.isDead) journal.close()
        this.#journal = null
      },
    }
  }

  #onDisk(work: () => void): void {
    if (this.process.isDead) throw new LostConnection('journal')
    const { fate, isDeadly } = this.surroundings.fateOfJournal()
    if (fate !== 'refused') work()
    // A journal checks whether a failed commit was made: only a crash loses the outcome.
    if (fate === 'done' || (fate === 'answer lost' && !isDeadly)) return
    if (isDeadly) this.surroundings.onKilled(this)
    throw new LostConnection('journal')
  }
}
