import type { Logger } from 'pino'

import { AppError } from '../app-error'
import type { Random } from '../random'
import type { Clock } from '../clock'
import type { Database, Durability } from '../store/database'
import { levelOf } from '../store/database-watch'
import { createApplyCharges } from './apply-charges'
import { createBalances } from './balances'
import { chargeRecord, type ChargeRecord } from './charge-record'
import { startHeartbeat } from './heartbeat'
import { openJournal, type OnSetAside } from './journal'
import { journalPath, setAsideIn } from './journal-files'
import { createJournalSink, type JournalSinkOptions } from './journal-sink'
import type { Want } from './want'
import { LeaseKeeper } from './lease-keeper'
import { createLeaseStore, type LeaseStore } from './lease-store'
import type { Charge, Ledger, Payer, Reservation } from './ledger'
import { endLeasesOf, WorkerWatch } from './reclaim'
import { RecordQueue } from './record-queue'
import { HeldReservation, type HeldFrom } from './reservation'
import { take, takeNow } from './take-from-leases'
import { systemTimers, within, type Timers } from '../timers'

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
  readonly timers?: Timers
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
/** Workers look for recalled leases twice a second. */
const recallPatienceMs = 3000
const recallStepMs = 50
/** Who reads waits no longer for charges under way. */
const readMs = 1000
const drainStepMs = 20
const drainSteps = 100

export async function openLedger(options: LedgerOptions): Promise<LedgerWorker> {
  const { database, clock, random, log, workerId, nodeId } = options
  const timers = options.timers ?? systemTimers
  const onError = (error: unknown) => log[levelOf(error, 'error')]({ error }, 'the database refused a change of leases')
  const heartbeat = await startHeartbeat({ database, clock, workerId, nodeId })
  await endLeasesOf(database, workerId)
  const start = Buffer.from(random.bytes(6)).toString('hex')
  const store = createLeaseStore(database, clock)
  const leases = new LeaseKeeper(workerId, start, { store, clock, timers, onError })
  const watch = new WorkerWatch(database, clock)
  const records = new RecordQueue(database, {
    clock,
    timers,
    onFailure: (error) => log[levelOf(error, 'warn')]({ error }, 'log rows could not be written'),
  })
  /** Requests whose charge the database does not have. A disk that fails may bring a charge there twice; it counts once. */
  const unapplied = new Set<string>()
  const sink = openSink(options, {
    apply: createApplyCharges(database),
    onApplied(applied, debts) {
      leases.debtsPaid(debts)
      leases.applied(leaseIdsOf(applied.filter(({ requestId }) => unapplied.delete(requestId))))
    },
    timers,
    onFailure: (error) =>
      log[levelOf(error, 'error')]({ error }, 'charges could not be committed; they are tried again'),
  })
  let isClosing = false
  let setAsideFiles = setAsideIn(options.journalFolder).length

  const isUsable = (now: number) => !isClosing && !sink.isFailing && !heartbeat.isLost(now)

  function reserve(requestId: string, payer: Payer, wanted: number | Want): Reservation | Promise<Reservation> {
    const want = typeof wanted === 'number' ? { most: wanted, least: wanted } : wanted
    checkWant(want)
    const now = clock.monotonic()
    if (!isUsable(now)) throw new AppError('ledger.unavailable')
    const taken = takeNow(leases, payer, want.most, now)
    if (taken) return new HeldReservation(requestId, payer, taken)
    return take(leases, payer, want).then((later) => new HeldReservation(requestId, payer, later))
  }

  function extend(reservation: Reservation, want: Want): number | Promise<number> {
    checkWant(want)
    const now = clock.monotonic()
    if (!(reservation instanceof HeldReservation) || !reservation.isOpen || !isUsable(now)) return 0
    const { payer, user, token } = reservation
    // What was taken while this worker was thought dead is charged to other leases than the rest of the call.
    const isSame = (taken: HeldFrom) => taken.user === user && taken.token === token && reservation.isOpen
    const added = (taken: HeldFrom): number => {
      if (!isSame(taken)) {
        giveUp(taken)
        return 0
      }
      reservation.grow(taken.amount)
      return taken.amount
    }
    const taken = takeNow(leases, payer, want.most, now)
    if (taken) return added(taken)
    return take(leases, payer, want).then(added, () => 0)
  }

  /** Keeps the last count while the folder cannot be read, for want of a file descriptor for example. */
  function countSetAside(): void {
    try {
      setAsideFiles = setAsideIn(options.journalFolder).length
    } catch (error) {
      log.warn({ error }, 'the journal folder could not be read')
    }
  }

  async function charge(reservation: Reservation, charge: Charge): Promise<void> {
    const held = ended(reservation, 'charge')
    if (!held) return
    if (!isAmount(charge.cost)) {
      giveUp(held)
      throw new RangeError(`A call cannot cost ${charge.cost}`)
    }
    if (unapplied.has(held.requestId)) {
      log.warn({ requestId: held.requestId }, 'a request that is charged already was charged again')
      return giveUp(held)
    }
    unapplied.add(held.requestId)
    held.user.book.charge(held.amount, charge.cost)
    held.token?.book.charge(held.amount, charge.cost)
    const from = { userLease: held.user.key.id, tokenLease: held.token?.key.id ?? '' }
    try {
      await sink.add(chargeRecord(held.requestId, held.payer, charge, from))
    } catch (error) {
      unapplied.delete(held.requestId)
      held.user.uncharge(charge.cost)
      held.token?.uncharge(charge.cost)
      const { requestId } = held
      log.error({ error, requestId, cost: charge.cost }, 'a charge was given up; its call is refused and costs nothing')
      throw error
    }
  }

  /** The reservation when this ends it; a second end, or a foreign reservation, changes nothing. */
  function ended(reservation: Reservation, how: string): HeldReservation | null {
    if (reservation instanceof HeldReservation && reservation.end()) return reservation
    log.warn({ requestId: reservation.requestId, how }, 'a reservation that is not open was ended')
    return null
  }

  return {
    ...createBalances(database, clock),
    reserve,
    extend,
    charge,
    release(reservation) {
      const held = ended(reservation, 'release')
      if (held) giveUp(held)
    },
    async whenRecalled(kind, refId) {
      await leases.sweep().catch(onError)
      await untilRecalled({ store, clock, timers }, { kind, refId }).catch(onError)
    },
    record: (requestId, entry, isLogged) => records.add(requestId, entry, isLogged),
    applied: () => within(timers, readMs, sink.applied(), undefined),
    stats: () => ({
      ...leases.stats(),
      pendingCharges: sink.queued,
      journalDepth: sink.journaled.depth,
      journalOldestSeconds: sink.journaled.oldestSeconds,
      setAsideFiles,
      droppedRecords: records.dropped,
    }),
    sweep: () => leases.sweep().catch(onError),
    async beat() {
      countSetAside()
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
          await endLeasesOf(database, workerId)
          await heartbeat.end()
        } catch (error) {
          log.error({ error }, 'leases could not be given back; they return when the heartbeat expires')
        }
      }
      await sink.close()
    },
  }
}

async function untilRecalled(
  { store, clock, timers }: Pick<LedgerOptions, 'clock'> & { store: LeaseStore; timers: Timers },
  balance: Parameters<LeaseStore['isRecallOpen']>[0],
): Promise<void> {
  const until = clock.monotonic() + recallPatienceMs
  while ((await store.isRecallOpen(balance)) && clock.monotonic() < until) await timers.wait(recallStepMs)
}

function openSink(options: LedgerOptions, services: Omit<JournalSinkOptions, 'journal' | 'clock'>) {
  const { clock, log, workerId, journalFolder, durability } = options
  const open = options.openJournal ?? openJournal
  const onSetAside: OnSetAside = (kind, count, path) =>
    log.error({ kind, count, path }, 'charges of the journal could not be read and were set aside')
  const journal = open(journalPath(journalFolder, workerId), durability, onSetAside)
  return createJournalSink({ ...services, journal, clock })
}

function giveUp({ user, token, amount }: HeldFrom) {
  user.book.release(amount)
  token?.book.release(amount)
}

function* leaseIdsOf(records: readonly ChargeRecord[]) {
  for (const { userLease, tokenLease } of records) {
    yield userLease
    if (tokenLease !== '') yield tokenLease
  }
}

const isAmount = (amount: number) => Number.isSafeInteger(amount) && amount >= 0

function checkWant({ most, least }: Want) {
  if (!isAmount(most) || !isAmount(least) || least > most)
    throw new RangeError(`Not an amount of quota: ${least} to ${most}`)
}
