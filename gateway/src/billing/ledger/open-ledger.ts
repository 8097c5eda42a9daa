import type { Logger } from 'pino'

import { randomHex, type Random } from '../../platform/random'
import type { Clock } from '../../platform/time/clock'
import type { Database, Durability } from '../../platform/store/database'
import { levelOf } from '../../platform/store/database-watch'
import { within, type Timers } from '../../platform/time/timers'
import { createApplyCharges } from './charge/apply-charges'
import { createBalances } from './balances'
import { createCharging, type Charging } from './charge/charging'
import { createDurableHolds } from './durable-holds'
import { Heartbeat } from './recovery/heartbeat'
import { openJournal, type OnSetAside } from './journal/journal'
import { journalPath, SetAsideFiles } from './journal/journal-files'
import { JournalSink, type JournalSinkOptions } from './journal/journal-sink'
import { LeaseKeeper } from './lease/lease-keeper'
import { awaitRecall, createLeaseStore, type LeaseStore } from './lease/lease-store'
import type { Ledger } from './ledger'
import { returnLeasesOf, WorkerWatch } from './recovery/reclaim'
import { RecordQueue } from './charge/record-queue'
import { createReservations, type Reservations } from './lease/reservations'
import { Admissions } from './window/admissions'
import { createHeldAdmissions } from './window/held-admissions'
import { WindowLeases } from './window/window-leases'

export interface LedgerOptions {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly workerId: string
  readonly nodeId: string
  /** Where the journals of this node's workers are. */
  readonly journalFolder: string
  readonly durability: Durability
  readonly timers: Timers
  readonly openJournal?: typeof openJournal
}

/** Opens the ledger of a worker; its owner calls the housekeeping. */
export async function openLedger(options: LedgerOptions): Promise<LedgerWorker> {
  const heartbeat = await Heartbeat.start(options)
  await returnLeasesOf(options.database, options.workerId)
  return new LedgerWorker(options, heartbeat)
}

/** Opens the ledger of a worker, with its heartbeat and housekeeping on timers. Close it before the database. */
export async function createLedger(options: LedgerOptions): Promise<LedgerWorker> {
  const ledger = await openLedger(options)
  ledger.keepHouse()
  return ledger
}

const sweepMs = 500
const beatMs = 5000
const settleMs = 10_000
/** A reader does not wait longer for charges in progress. */
const readMs = 1000
const drainStepMs = 20
const drainSteps = 100

/**
 * The ledger of one worker. Its operations are properties, not methods: a copy in which some are replaced is a ledger too, as for a call in
 * the background.
 */
export class LedgerWorker implements Ledger {
  readonly reserve: Ledger['reserve']
  readonly reserveNow: Ledger['reserveNow']
  readonly extend: Ledger['extend']
  readonly release: Ledger['release']
  readonly admit: Ledger['admit']
  readonly draw: Ledger['draw']
  readonly fullWindow: Ledger['fullWindow']
  readonly readRest: Ledger['readRest']
  readonly admitHeld: Ledger['admitHeld']
  readonly hold: Ledger['hold']
  readonly chargeHeld: Ledger['chargeHeld']
  readonly settleHold: Ledger['settleHold']
  readonly releaseHold: Ledger['releaseHold']
  readonly credit: Ledger['credit']
  readonly balanceOf: Ledger['balanceOf']
  readonly tokenBalanceOf: Ledger['tokenBalanceOf']
  readonly adjustBalance: Ledger['adjustBalance']
  readonly adjustTokenBalance: Ledger['adjustTokenBalance']
  readonly changeTokenBalance: Ledger['changeTokenBalance']
  readonly #options: LedgerOptions
  readonly #heartbeat: Heartbeat
  readonly #store: LeaseStore
  readonly #leases: LeaseKeeper
  readonly #reservations: Reservations
  readonly #charging: Charging
  readonly #records: RecordQueue
  readonly #watch: WorkerWatch
  readonly #setAside: SetAsideFiles
  #timed: readonly (() => void)[] = []
  #isClosing = false

  /** `heartbeat` has begun, and the leases that an earlier worker of this id left were given back. */
  constructor(options: LedgerOptions, heartbeat: Heartbeat) {
    const { database, clock, timers, random, log, workerId, journalFolder } = options
    this.#options = options
    this.#heartbeat = heartbeat
    this.#store = createLeaseStore(database, clock)
    const start = randomHex(random, 6)
    const leases = new LeaseKeeper(workerId, start, { store: this.#store, clock, timers, onError: this.#logRefusal })
    this.#leases = leases
    this.#watch = new WorkerWatch(database, clock)
    this.#setAside = new SetAsideFiles(journalFolder, log)
    this.#records = new RecordQueue(database, {
      clock,
      timers,
      onFailure: (error) => log[levelOf(error, 'warn')]({ error }, 'log rows could not be written'),
    })
    this.#charging = createCharging({
      leases,
      log,
      openSink: (onApplied) => openSink(options, { timers, onApplied }),
    })
    const { sink } = this.#charging
    const windows = new WindowLeases({ database, leases, clock })
    const admissions = new Admissions({ leases, windows, clock })
    this.admit = admissions.admit
    this.draw = admissions.draw
    this.fullWindow = admissions.fullWindow
    this.readRest = (window) => windows.readRest(window, clock.seconds())
    this.admitHeld = createHeldAdmissions({ database, clock }).admitHeld
    this.#reservations = createReservations({
      leases,
      windows,
      clock,
      log,
      isUsable: (now) => !this.#isClosing && !sink.isFailing && !heartbeat.isLost(now),
    })
    this.reserve = this.#reservations.reserve
    this.reserveNow = this.#reservations.reserveNow
    this.extend = this.#reservations.extend
    this.release = this.#reservations.release
    const holds = createDurableHolds({ database, clock, windows, whenRecalled: this.whenRecalled })
    this.hold = holds.hold
    this.chargeHeld = holds.chargeHeld
    this.settleHold = holds.settleHold
    this.releaseHold = holds.releaseHold
    const balances = createBalances(database, clock)
    this.credit = balances.credit
    this.balanceOf = balances.balanceOf
    this.tokenBalanceOf = balances.tokenBalanceOf
    this.adjustBalance = balances.adjustBalance
    this.adjustTokenBalance = balances.adjustTokenBalance
    this.changeTokenBalance = balances.changeTokenBalance
  }

  readonly charge: Ledger['charge'] = (reservation, what) => {
    const held = this.#reservations.end(reservation, 'charge')
    return held ? this.#charging.charge(held, what) : Promise.resolve()
  }

  readonly record: Ledger['record'] = (requestId, entry, isLogged) => this.#records.add(requestId, entry, isLogged)

  readonly whenRecalled: Ledger['whenRecalled'] = async (kind, refId) => {
    const { clock, timers } = this.#options
    await this.sweep()
    await awaitRecall({ store: this.#store, clock, timers }, { kind, refId }).catch(this.#logRefusal)
  }

  readonly problem: Ledger['problem'] = () =>
    this.#charging.sink.problem() ?? (this.#heartbeat.isLost(this.#options.clock.monotonic()) ? 'database' : null)

  readonly waitUntilApplied: Ledger['waitUntilApplied'] = () =>
    within(this.#options.timers, readMs, this.#charging.sink.waitUntilApplied(), undefined)

  readonly stats: Ledger['stats'] = () => {
    const { queued, journaled } = this.#charging.sink
    return {
      ...this.#leases.stats(),
      pendingCharges: queued,
      journalDepth: journaled.depth,
      journalOldestSeconds: journaled.oldestSeconds,
      setAsideFiles: this.#setAside.count,
      droppedRecords: this.#records.dropped,
    }
  }

  /** Commits what is queued and returns all leases; the housekeeping ends. */
  readonly close: Ledger['close'] = async () => {
    const { timers, log, database, workerId } = this.#options
    for (const end of this.#timed) end()
    this.#isClosing = true
    this.#leases.close()
    for (let step = 0; step < drainSteps && this.#leases.isBusy; step += 1) await timers.wait(drainStepMs)
    const { sink } = this.#charging
    const isSettled = await sink.settle(settleMs)
    await this.#records.close(settleMs)
    if (isSettled) {
      try {
        await returnLeasesOf(database, workerId)
        await this.#heartbeat.end()
      } catch (error) {
        log.error({ error }, 'leases could not be given back; they return when the heartbeat expires')
      }
    }
    await sink.close()
  }

  /** Sweeps and beats on timers until the ledger is closed. */
  keepHouse(): void {
    const { timers } = this.#options
    this.#timed = [every(timers, sweepMs, () => this.sweep()), every(timers, beatMs, () => this.beat())]
  }

  /** Gives back idle leases. Twice a second. Never rejects. */
  sweep(): Promise<void> {
    return this.#leases.sweep().catch(this.#logRefusal)
  }

  /** Tells others that this worker lives, and ends what dead workers hold. Each five seconds. Never rejects. */
  async beat(): Promise<void> {
    this.#setAside.recount()
    try {
      if (!(await this.#heartbeat.beat())) this.#leases.forfeitAll()
      await this.#watch.reclaimDead()
    } catch (error) {
      this.#options.log[levelOf(error, 'warn')]({ error }, 'the heartbeat did not reach the database')
    }
  }

  readonly #logRefusal = (error: unknown): void =>
    this.#options.log[levelOf(error, 'error')]({ error }, 'the database refused a change of leases')
}

function openSink(options: LedgerOptions, services: Pick<JournalSinkOptions, 'timers' | 'onApplied'>) {
  const { database, clock, log, workerId, journalFolder, durability } = options
  const open = options.openJournal ?? openJournal
  const onSetAside: OnSetAside = (kind, count, path) =>
    log.error({ kind, count, path }, 'charges of the journal could not be read and were set aside')
  return new JournalSink({
    ...services,
    clock,
    journal: open(journalPath(journalFolder, workerId), durability, onSetAside),
    apply: createApplyCharges(database),
    onFailure: (error) =>
      log[levelOf(error, 'error')]({ error }, 'charges could not be committed; they are tried again'),
    onRecovery: () => log.warn('charges can be committed again'),
  })
}

/** Work that takes longer than its interval is not begun a second time meanwhile. `work` never rejects. */
function every(timers: Timers, ms: number, work: () => Promise<void>): () => void {
  let isRunning = false
  return timers.every(ms, () => {
    if (isRunning) return
    isRunning = true
    void work().finally(() => (isRunning = false))
  })
}
