import type { Logger } from 'pino'

import type { Random } from '../../platform/random'
import type { Clock } from '../../platform/time/clock'
import type { Database, Durability } from '../../platform/store/database'
import { levelOf } from '../../platform/store/database-watch'
import { within, type Timers } from '../../platform/time/timers'
import { createApplyCharges } from './charge/apply-charges'
import { createBalances } from './balances'
import { createCharging } from './charge/charging'
import { createDurableHolds } from './durable-holds'
import { startHeartbeat } from './recovery/heartbeat'
import { openJournal, type OnSetAside } from './journal/journal'
import { journalPath, SetAsideFiles } from './journal/journal-files'
import { createJournalSink, type JournalSinkOptions } from './journal/journal-sink'
import { LeaseKeeper } from './lease/lease-keeper'
import { awaitRecall, createLeaseStore } from './lease/lease-store'
import type { Ledger } from './ledger'
import { returnLeasesOf, WorkerWatch } from './recovery/reclaim'
import { RecordQueue } from './charge/record-queue'
import { createReservations } from './lease/reservations'

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

/** A ledger whose housekeeping is called by its owner. */
export interface LedgerWorker extends Ledger {
  /** Give back idle leases. Twice a second. Never rejects. */
  sweep(): Promise<void>
  /** Tell others that this worker lives, and end what dead workers hold. Each five seconds. Never rejects. */
  beat(): Promise<void>
}

const settleMs = 10_000
/** A reader does not wait longer for charges in progress. */
const readMs = 1000
const drainStepMs = 20
const drainSteps = 100

export async function openLedger(options: LedgerOptions): Promise<LedgerWorker> {
  const { database, clock, timers, random, log, workerId, nodeId } = options
  const onError = (error: unknown) => log[levelOf(error, 'error')]({ error }, 'the database refused a change of leases')
  const heartbeat = await startHeartbeat({ database, clock, workerId, nodeId })
  await returnLeasesOf(database, workerId)
  const start = Buffer.from(random.bytes(6)).toString('hex')
  const store = createLeaseStore(database, clock)
  const leases = new LeaseKeeper(workerId, start, { store, clock, timers, onError })
  const watch = new WorkerWatch(database, clock)
  const setAside = new SetAsideFiles(options.journalFolder, log)
  const records = new RecordQueue(database, {
    clock,
    timers,
    onFailure: (error) => log[levelOf(error, 'warn')]({ error }, 'log rows could not be written'),
  })
  const { sink, charge } = createCharging({
    leases,
    log,
    openSink: (onApplied) => openSink(options, { timers, onApplied }),
  })
  let isClosing = false
  const reservations = createReservations({
    leases,
    clock,
    log,
    isUsable: (now) => !isClosing && !sink.isFailing && !heartbeat.isLost(now),
  })

  const whenRecalled: Ledger['whenRecalled'] = async (kind, refId) => {
    await leases.sweep().catch(onError)
    await awaitRecall({ store, clock, timers }, { kind, refId }).catch(onError)
  }

  return {
    ...createBalances(database, clock),
    ...createDurableHolds({ database, clock, whenRecalled }),
    reserve: reservations.reserve,
    extend: reservations.extend,
    release: reservations.release,
    charge(reservation, what) {
      const held = reservations.end(reservation, 'charge')
      return held ? charge(held, what) : Promise.resolve()
    },
    whenRecalled,
    record: (requestId, entry, isLogged) => records.add(requestId, entry, isLogged),
    problem: () => sink.problem() ?? (heartbeat.isLost(clock.monotonic()) ? 'database' : null),
    waitUntilApplied: () => within(timers, readMs, sink.waitUntilApplied(), undefined),
    stats: () => ({
      ...leases.stats(),
      pendingCharges: sink.queued,
      journalDepth: sink.journaled.depth,
      journalOldestSeconds: sink.journaled.oldestSeconds,
      setAsideFiles: setAside.count,
      droppedRecords: records.dropped,
    }),
    sweep: () => leases.sweep().catch(onError),
    async beat() {
      setAside.recount()
      try {
        if (!(await heartbeat.beat())) leases.forfeitAll()
        await watch.reclaimDead()
      } catch (error) {
        log[levelOf(error, 'warn')]({ error }, 'the heartbeat did not reach the database')
      }
    },
    async close() {
      isClosing = true
      leases.close()
      for (let step = 0; step < drainSteps && leases.isBusy; step += 1) await timers.wait(drainStepMs)
      const isSettled = await sink.settle(settleMs)
      await records.close(settleMs)
      if (isSettled) {
        try {
          await returnLeasesOf(database, workerId)
          await heartbeat.end()
        } catch (error) {
          log.error({ error }, 'leases could not be given back; they return when the heartbeat expires')
        }
      }
      await sink.close()
    },
  }
}

function openSink(options: LedgerOptions, services: Pick<JournalSinkOptions, 'timers' | 'onApplied'>) {
  const { database, clock, log, workerId, journalFolder, durability } = options
  const open = options.openJournal ?? openJournal
  const onSetAside: OnSetAside = (kind, count, path) =>
    log.error({ kind, count, path }, 'charges of the journal could not be read and were set aside')
  return createJournalSink({
    ...services,
    clock,
    journal: open(journalPath(journalFolder, workerId), durability, onSetAside),
    apply: createApplyCharges(database),
    onFailure: (error) =>
      log[levelOf(error, 'error')]({ error }, 'charges could not be committed; they are tried again'),
    onRecovery: () => log.warn('charges can be committed again'),
  })
}

const sweepMs = 500
const beatMs = 5000

/** The ledger of a worker, with its heartbeat and housekeeping on timers. Close it before the database. */
export async function createLedger(options: LedgerOptions): Promise<LedgerWorker> {
  const ledger = await openLedger(options)
  const { timers } = options
  const ends = [every(timers, sweepMs, () => ledger.sweep()), every(timers, beatMs, () => ledger.beat())]
  return {
    ...ledger,
    async close() {
      for (const end of ends) end()
      await ledger.close()
    },
  }
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
