import { AppError } from '../../src/platform/app-error'
import { chargeRecord } from '../../src/billing/ledger/charge/charge-record'
import type { Charge, Reservation } from '../../src/billing/ledger/ledger'
import { HeldReservation } from '../../src/billing/ledger/lease/reservations'
import { anyEntry, type Account } from './accounts'
import type { Submitted } from './submitted'
import { TaskTraffic } from './task-traffic'
import type { TrafficOptions } from './traffic-options'
import type { Worker } from './worker'

const maxCalls = 20

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
    if (dice.oneIn(10)) return this.#tasks.event(worker, isCalm)
    const ends = isCalm || worker.running.size > dice.below(maxCalls)
    if (ends) return this.#end(worker)
    if (!dice.oneIn(30)) return this.#reserve(worker)
    const which = dice.below(3)
    if (which === 0) this.#credit(worker)
    else if (which === 1) this.#adjust(worker)
    else this.#adjustToken(worker)
  }

  #reserve(worker: Worker): void {
    const { dice, accounts, note, onError } = this.options
    const account = dice.pick(accounts.all)
    if (!account || !worker.ledger) return
    const requestId = `r${(this.#names += 1)}`
    const estimate = dice.oneIn(20) ? dice.below(2000) : dice.below(60)
    const min = dice.oneIn(3) ? dice.below(estimate + 1) : estimate
    note(`${worker.id} reserves ${min} to ${estimate} for ${requestId} of ${account.userId}:${account.tokenId}`)
    const onReserved = (reservation: Reservation, hasWaited: boolean) =>
      this.#recordReservation(worker, reservation, hasWaited)
    try {
      const reservation = worker.ledger.reserve(requestId, account, { max: estimate, min: min })
      if (reservation instanceof Promise) reservation.then((late) => onReserved(late, true)).catch(onError)
      else onReserved(reservation, false)
    } catch (error) {
      onError(error)
    }
  }

  #recordReservation(worker: Worker, reservation: Reservation, hasWaited: boolean): void {
    if (worker.process.isDead) return
    if (!(reservation instanceof HeldReservation)) throw new Error('Not a reservation of the ledger')
    this.options.note(`${worker.id} reserved ${reservation.requestId}`)
    worker.running.add(reservation)
    this.options.witness.checkReserved(reservation, hasWaited)
  }

  #extend(worker: Worker): void {
    const { dice, note, onError, witness } = this.options
    const reservation = dice.pick([...worker.running])
    if (!reservation || !worker.ledger) return
    const max = dice.below(60)
    const range = { max, min: dice.below(max + 1), fair: dice.below(20) }
    note(`${worker.id} wants ${max} more for ${reservation.requestId}`)
    const recordExtension = (amount: number, hasWaited: boolean) => {
      if (worker.process.isDead || amount === 0) return
      note(`${worker.id} holds ${amount} more for ${reservation.requestId}`)
      witness.checkReserved(reservation, hasWaited)
    }
    const added = worker.ledger.extend(reservation, range)
    if (added instanceof Promise) added.then((amount) => recordExtension(amount, true)).catch(onError)
    else recordExtension(added, false)
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
    const leases = { userLease: reservation.user?.key.id ?? '', tokenLease: reservation.token?.key.id ?? '' }
    const submitted: Submitted = {
      record: chargeRecord(requestId, payer, charge, leases),
      process: worker.process,
      nodeId: worker.node.nodeId,
      excess: Math.max(0, cost - amount),
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
    return anyEntry(
      dice,
      account ?? ({ ...payer, tokenName: '' } satisfies Account),
      accounts.channels,
      worker.process.clock.now(),
    )
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

  #adjustToken(worker: Worker): void {
    const { dice, accounts, witness, note, onError } = this.options
    const tokenId = dice.pick(accounts.limitedTokens) ?? 0
    const quota = dice.below(dice.oneIn(2) ? 10_000 : 500)
    witness.tokenChanges.add({ process: worker.process, tokenId, quota })
    note(`${worker.id} brings key ${tokenId} to ${quota}`)
    worker.ledger?.adjustTokenBalance(tokenId, quota).catch(onError)
  }
}

function parts(text: string): readonly [string, number, number] {
  const [id = '', user = '', amount = ''] = text.split('|')
  return [id, Number(user), Number(amount)]
}
