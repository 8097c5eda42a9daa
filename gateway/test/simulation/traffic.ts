import { AppError } from '../../src/platform/app-error'
import { chargeRecord } from '../../src/billing/ledger/charge/charge-record'
import type { Charge, Reservation } from '../../src/billing/ledger/ledger'
import { HeldReservation } from '../../src/billing/ledger/lease/reservations'
import { anyEntry, payerOf } from './accounts'
import type { Part, Submitted } from './submitted'
import { TaskTraffic } from './task-traffic'
import type { TrafficOptions } from './traffic-options'
import { editAtRandom, usedBy } from './windows'
import type { Worker } from './worker'

const maxCalls = 20
/** Tasks that one worker begins and ends at the same time. */
const maxTasks = 2

/** The actions of clients and administrators. */
export class Traffic {
  #names = 0
  #lastCredits: string[] = []
  readonly #tasks: TaskTraffic

  constructor(readonly options: TrafficOptions) {
    this.#tasks = new TaskTraffic(options)
  }

  /** Performs one action of a client or an administrator. When it is calm no new call begins. */
  event(workers: readonly Worker[], isCalm: boolean): void {
    const { dice } = this.options
    const worker = dice.pick(workers)
    if (!worker) return
    if (!isCalm && dice.oneIn(12)) return this.#extend(worker)
    if (worker.waiting.tasks < maxTasks && dice.oneIn(10)) return this.#tasks.event(worker, isCalm)
    const ends = isCalm || worker.running.size + worker.waiting.calls > dice.below(maxCalls)
    if (ends) return this.#end(worker)
    if (!dice.oneIn(30)) return this.#reserve(worker)
    const which = dice.below(4)
    if (which === 0) this.#credit(worker)
    else if (which === 1) this.#adjust(worker)
    else if (which === 2) this.#adjustToken(worker)
    else this.#editWindows(worker)
  }

  #reserve(worker: Worker): void {
    const { dice, accounts, note, onError, step } = this.options
    const account = dice.pick(accounts.all)
    if (!account || !worker.ledger) return
    const requestId = `r${(this.#names += 1)}`
    const estimate = dice.oneIn(20) ? dice.below(2000) : dice.below(60)
    const min = dice.oneIn(3) ? dice.below(estimate + 1) : estimate
    const tokens = { prompt: dice.below(80), completion: dice.below(80) }
    note(`${worker.id} reserves ${min} to ${estimate} for ${requestId} of ${account.userId}:${account.tokenId}`)
    const { clock, clockSets } = worker.process
    const started = { step: step(), at: clock.seconds(), clockSets }
    worker.waiting.calls += 1
    worker.ledger
      .reserve(requestId, payerOf(account), { max: estimate, min, tokens })
      .then((reservation) => this.#recordReservation(worker, reservation, started))
      .catch(onError)
      .finally(() => (worker.waiting.calls -= 1))
  }

  #recordReservation(worker: Worker, reservation: Reservation, started: Started): void {
    if (worker.process.isDead) return
    if (!(reservation instanceof HeldReservation)) throw new Error('Not a reservation of the ledger')
    this.options.note(`${worker.id} reserved ${reservation.requestId}`)
    worker.running.add(reservation)
    const { witness, step } = this.options
    witness.checkReserved(reservation, { hasWaited: step() !== started.step, running: worker.running })
    // A clock that was set meanwhile says nothing about the beginning.
    witness.checkWindows(reservation, worker.process.clockSets === started.clockSets ? started.at : null)
  }

  #extend(worker: Worker): void {
    const { dice, note, onError, witness, step } = this.options
    const reservation = dice.pick([...worker.running])
    if (!reservation || !worker.ledger) return
    const startedAt = step()
    const max = dice.below(60)
    const range = { max, min: dice.below(max + 1), fair: dice.below(20) }
    note(`${worker.id} wants ${max} more for ${reservation.requestId}`)
    const recordExtension = (amount: number) => {
      if (worker.process.isDead || amount === 0) return
      note(`${worker.id} holds ${amount} more for ${reservation.requestId}`)
      witness.checkReserved(reservation, { hasWaited: step() !== startedAt, isMore: true, running: worker.running })
    }
    const added = worker.ledger.extend(reservation, range)
    if (added instanceof Promise) added.then(recordExtension).catch(onError)
    else recordExtension(added)
  }

  #end(worker: Worker): void {
    const { dice, note } = this.options
    const reservation = dice.pick([...worker.running])
    const { ledger } = worker
    if (!reservation || !ledger) return
    worker.running.delete(reservation)
    if (!dice.oneIn(6)) return this.#charge(worker, reservation)
    note(`${worker.id} releases ${reservation.requestId}`)
    ledger.release(reservation)
    if (dice.oneIn(3))
      void ledger.charge(reservation, { cost: 1e6, isLogged: true, entry: this.#entry(worker, reservation) })
  }

  #charge(worker: Worker, reservation: HeldReservation): void {
    const { dice, witness, note, onError } = this.options
    const { amount, requestId, payer } = reservation
    const cost = dice.pick([amount, dice.below(amount + 1), 0, amount + dice.below(dice.oneIn(10) ? 500 : 20)]) ?? 0
    const charge: Charge = { cost, isLogged: !dice.oneIn(5), entry: this.#entry(worker, reservation) }
    const parts = partsOf(reservation, charge)
    const leases = {
      userLease: reservation.user?.key.id ?? '',
      tokenLease: reservation.token?.key.id ?? '',
      windows: parts
        .filter(({ kind }) => kind === 'window')
        .map(({ lease, refId, cost: drawn }) => ({
          series: lease.slice(0, -`:window:${refId}`.length),
          drawn: [refId, drawn],
        })),
    }
    const submitted: Submitted = {
      record: chargeRecord(requestId, payer, charge, leases),
      process: worker.process,
      nodeId: worker.node.nodeId,
      parts,
      isAcknowledged: false,
      isRefused: false,
      isCharged: false,
    }
    note(`${worker.id} charges ${cost} for ${requestId}`)
    witness.submitted.add(submitted)
    worker.ledger
      ?.charge(reservation, charge)
      .then(
        () => witness.submitted.markAcknowledged(submitted),
        (error: unknown) => {
          if (error instanceof AppError) witness.submitted.markRefused(submitted)
          onError(error)
        },
      )
      .catch(onError)
    if (dice.oneIn(20)) void worker.ledger?.charge(reservation, charge)
    if (dice.oneIn(20)) worker.ledger?.release(reservation)
  }

  #entry(worker: Worker, { payer }: HeldReservation) {
    const { dice, accounts } = this.options
    const account = accounts.all.find(({ userId, tokenId }) => userId === payer.userId && tokenId === payer.tokenId)
    return anyEntry(dice, account ?? { ...payer, tokenName: '' }, accounts.channels, worker.process.clock.now())
  }

  /** Sometimes repeats an earlier one through another worker. */
  #credit(worker: Worker): void {
    const { dice, accounts, witness, note, onError } = this.options
    const userId = dice.pick(accounts.users) ?? 0
    const known = dice.oneIn(3) ? dice.pick(this.#lastCredits) : undefined
    const [id, user, amount] = known
      ? parts(known)
      : ([`credit:${(this.#names += 1)}`, userId, 1 + dice.below(5000)] as const)
    witness.credits.set(id, { amount })
    this.#lastCredits = [...this.#lastCredits, `${id}|${user}|${amount}`].slice(-20)
    note(`${worker.id} credits ${amount} to ${user}: ${id}`)
    worker.ledger?.credit({ id, userId: user, kind: 'top-up', amount }).catch(onError)
  }

  #adjust(worker: Worker): void {
    const { dice, accounts, witness, note, onError } = this.options
    const id = `adjust:${(this.#names += 1)}`
    const userId = dice.pick(accounts.users) ?? 0
    const quota = dice.below(dice.oneIn(2) ? 20_000 : 500)
    witness.credits.set(id, { quota })
    note(`${worker.id} brings user ${userId} to ${quota}`)
    worker.ledger?.adjustBalance(id, userId, quota).catch(onError)
  }

  #editWindows(worker: Worker): void {
    const { dice, accounts, note, onError } = this.options
    const owned = dice.pick(accounts.windows)
    if (!owned) return
    const { process, surroundings } = worker
    note(`${worker.id} edits the windows of ${owned.owner} ${owned.subjectId}`)
    const database = surroundings.store.databaseOf(process)
    editAtRandom(dice, database, owned, process.clock).catch(onError)
  }

  #adjustToken(worker: Worker): void {
    const { dice, accounts, witness, note, onError } = this.options
    const tokenId = dice.pick(accounts.limitedTokens) ?? 0
    const quota = dice.below(dice.oneIn(2) ? 10_000 : 500)
    witness.tokenChanges.add({ process: worker.process, tokenId, quota })
    note(`${worker.id} brings key ${tokenId} to ${quota}`)
    worker.ledger?.adjustTokenBalance(tokenId, quota).catch(onError)
  }
}

/** When a call began: the event, and Unix seconds by the clock of its worker, which may be set. */
interface Started {
  readonly step: number
  readonly at: number
  readonly clockSets: number
}

function partsOf(held: HeldReservation, charge: Charge): Part[] {
  const { user, token, windows, amount } = held
  const { cost } = charge
  const excess = Math.max(0, cost - amount)
  const ofWindows = windows.all.map(({ lease: { key }, measure }, index) => {
    const drawn = usedBy(measure, charge)
    const part = { kind: 'window', refId: key.refId, lease: key.id, cost: drawn } as const
    return { ...part, excess: Math.max(0, drawn - held.heldOfWindow(index)) }
  })
  return [
    ...(user ? [{ kind: 'user', refId: user.key.refId, lease: user.key.id, cost, excess } as const] : []),
    ...(token ? [{ kind: 'token', refId: token.key.refId, lease: token.key.id, cost, excess } as const] : []),
    ...ofWindows,
  ]
}

function parts(text: string): readonly [string, number, number] {
  const [id = '', user = '', amount = ''] = text.split('|')
  return [id, Number(user), Number(amount)]
}
