import { AppError } from '../../../platform/app-error'
import type { Clock } from '../../../platform/time/clock'
import { LeaseBook } from './lease-book'
import type { LeaseKey, LeaseStore, Taken } from './lease-store'
import type { Timers } from '../../../platform/time/timers'
import { WaitingCalls, type Grant, type RefusalOf } from './waiting-calls'
import type { HoldRange } from '../ledger'

export interface LeaseServices {
  readonly store: LeaseStore
  readonly clock: Clock
  readonly timers: Timers
  readonly onError: (error: unknown) => void
}

/** Calls of the last seconds are a measure for the next ones: a lease covers about this many of them. */
const callsAhead = 16
/** Topped up again sooner than this, a lease is too small; later than that, larger than it need be. */
const busyMs = 5000
const restfulMs = 60_000
/** After another worker asked for its share, take only what is needed, this long. */
const conservativeMs = 10_000
const recallTimeoutMs = 1500
const recallStepMs = 100
/** A caller does not wait longer for the database. */
const databaseTimeoutMs = 5000
/** After this, calls that the lease covers no longer wait behind one that it does not cover. */
const orderGraceMs = 300

/**
 * One balance as this worker may spend it. Calls are served from memory while the lease covers them; otherwise
 * they wait in order while one top-up is in progress. Everything that touches the database runs one after another.
 */
export class Lease {
  readonly book = new LeaseBook()
  /** Calls are served from memory. Not before the first top-up and not while the lease is given up. */
  #isOpen = false
  /** The database's row may hold more than the book says: an answer was lost. */
  #mayHoldMore = false
  #isBusy = false
  #isForfeited = false
  #isClosed = false
  readonly #waiting = new WaitingCalls()
  #usedAt: number
  #toppedUpAt = -Infinity
  #conservativeUntil = -Infinity
  #ahead = 0
  /** What was free beside this lease when the database was last asked; null: it was not asked. */
  #freeAtLookup: number | null = null
  /** How long the database has taken over the present top-up. */
  #database: 'prompt' | 'slow' | 'silent' = 'prompt'

  constructor(
    readonly key: LeaseKey,
    readonly services: LeaseServices,
  ) {
    this.#usedAt = services.clock.monotonic()
  }

  covers(amount: number): boolean {
    const isNext = this.#waiting.isEmpty || this.#database !== 'prompt'
    return isNext && this.#isOpen && this.book.available >= amount
  }

  reserve(amount: number, now: number): void {
    this.#usedAt = now
    this.book.reserve(amount)
  }

  /**
   * Reserve as soon as the balance is leased: the most that is wanted, or less of a balance that cannot pay that.
   * Where other workers hold the rest, it waits until they have given it back, if told to.
   * @throws AppError of `refusalOf`, `ledger.unavailable`.
   */
  acquire(holdRange: HoldRange, refusalOf: RefusalOf, waitsForOthers = true): Promise<Grant> {
    const amount = holdRange.max
    this.#usedAt = this.services.clock.monotonic()
    if (this.covers(amount)) {
      this.book.reserve(amount)
      return Promise.resolve({ amount, spendable: null })
    }
    if (this.#isClosed || this.#database === 'silent') return Promise.reject(new AppError('ledger.unavailable'))
    const granted = this.#waiting.add(holdRange, refusalOf, waitsForOthers)
    void this.#exclusively(() => this.#serve())
    return granted
  }

  /** What this worker knows to be left of the balance, beside what its calls in flight hold; null before its first look. */
  get remaining(): number | null {
    return this.#freeAtLookup === null ? null : this.#freeAtLookup + this.book.available
  }

  /** Another part of this worker looked at the balance, of which it had taken this lease and left so much free. */
  recordFree(free: number): void {
    this.#freeAtLookup = free
  }

  #addFree(amount: number): void {
    if (this.#freeAtLookup !== null) this.#freeAtLookup += amount
  }

  /** The database may have a row for it. */
  get isKnown(): boolean {
    return this.#isOpen || this.#mayHoldMore
  }
  /** Unused for this long, and free to end. */
  isIdle(now: number, idleMs: number): boolean {
    return this.isKnown && !this.#isBusy && this.book.isSettled && now - this.#usedAt >= idleMs
  }
  /** Nothing of it is left, in memory or in the database. */
  get isGone(): boolean {
    return !this.isKnown && !this.#isBusy && this.book.isSettled && this.#waiting.isEmpty
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** The worker stops: nothing more is leased, and waiting calls are refused. */
  close(): void {
    this.#isClosed = true
    this.#refuseAll()
  }

  /**
   * Give the whole lease back. The book forgets first: whatever becomes of the answer, nothing is spent twice. One that ended already ends
   * nothing: a later lease of the same balance has its name.
   */
  end(): Promise<void> {
    return this.#exclusively(async () => {
      if (this.isKnown && this.book.isSettled) await this.#returnAll()
    })
  }

  /** Whatever the row holds, also what the database granted and its answer was lost. */
  async #returnAll(): Promise<void> {
    this.#isOpen = false
    this.#mayHoldMore = true
    this.#addFree(this.book.end())
    await this.services.store.end(this.key)
    this.#mayHoldMore = this.#isForfeited
  }

  /**
   * Give back what no call needs, because it was recalled. Calls that run keep what they reserved; the next one asks the
   * database, which knows whether the balance fell below zero.
   */
  releaseUnused(): Promise<void> {
    this.#conservativeUntil = this.services.clock.monotonic() + conservativeMs
    if (this.book.isSettled) return this.end()
    return this.#exclusively(async () => {
      this.#shut()
      const amount = this.book.giveBack()
      this.#addFree(amount)
      this.applyOverdraft(await this.services.store.giveBack(this.key, amount))
    })
  }

  /** Calls cost more than they reserved, and the balance paid the difference. The next call asks the database what is left. */
  applyOverdraft(amount: number): void {
    if (amount === 0 || this.#isForfeited) return
    this.book.applyOverdraft(amount)
    this.#addFree(-amount)
    this.#shut()
  }

  /** A charge was given up: its call costs nothing. */
  uncharge(cost: number): void {
    this.book.uncharge(this.#isForfeited ? 0 : cost)
  }

  /** Nothing more is spent from memory before the next top-up. The row stays until the lease ends. */
  #shut(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#mayHoldMore = true
  }

  /** The lease was taken away while this worker was thought dead: nothing may be spent from it any more. */
  forfeit(): void {
    this.#isForfeited = true
    this.#isOpen = false
    this.#mayHoldMore = true
    this.book.end()
  }

  /** Work on one lease never overlaps; what comes meanwhile is dropped and comes again. Afterwards waiting calls are served. */
  async #exclusively(work: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    await work().catch(this.services.onError)
    while (!this.#waiting.isEmpty) {
      await this.#serve().catch((error: unknown) => {
        this.services.onError(error)
        this.#refuseAll()
      })
    }
    this.#isBusy = false
  }

  /** Serves or refuses every waiting call. */
  async #serve(): Promise<void> {
    if (this.#isForfeited || this.#isClosed) return this.#refuseAll()
    if (this.#isOpen) this.#waiting.grantInOrder(this.book)
    const { first } = this.#waiting
    if (!first) return
    const taken = await this.#topUp(first.amount)
    if (taken.granted !== null || this.#waiting.first !== first) return
    if (!first.waitsForOthers) await this.services.store.recall(this.key)
    else if (!first.hasRecalled && (await this.#recall())) return this.#waiting.markRecalled()
    const balance = taken.free + this.book.available
    this.#waiting.refuseUncovered(first, balance)
  }

  /** Leases at least `amount`, what the first waiting call needs. */
  async #topUp(amount: number): Promise<Taken> {
    const { store, timers } = this.services
    const endOrder = timers.after(orderGraceMs, () => {
      this.#database = 'slow'
      this.#serveCovered()
    })
    const endImpatience = timers.after(databaseTimeoutMs, () => {
      this.#database = 'silent'
      this.#refuseAll()
    })
    try {
      if (this.#mayHoldMore && !this.#isOpen && this.book.isSettled) await this.#returnAll()
      const missing = Math.max(0, amount - this.book.available)
      const { isKnown } = this
      const couldHoldMore = this.#mayHoldMore
      // Until the answer is in, the database may have given more than the book knows.
      this.#mayHoldMore = true
      const taken = await store.take(this.key, missing, this.#computeTopUp(amount, missing))
      this.recordFree(taken.free - (taken.granted ?? 0))
      const isShut = isKnown && !this.#isOpen
      this.#mayHoldMore = this.#isForfeited || (taken.granted === null && (couldHoldMore || isShut))
      if (taken.granted !== null && !this.#isForfeited) this.#recordGrant(taken.granted)
      return taken
    } finally {
      endOrder()
      endImpatience()
      this.#database = 'prompt'
    }
  }

  /** Enough for all waiting calls and for those to come: as many as last time, twice as many if that did not last. */
  #computeTopUp(amount: number, missing: number): number {
    const now = this.services.clock.monotonic()
    if (now < this.#conservativeUntil) return missing
    const lastedMs = now - this.#toppedUpAt
    const growth = lastedMs < busyMs ? 2 : lastedMs < restfulMs ? 1 : 0
    this.#ahead = Math.max(this.#ahead * growth, amount * callsAhead)
    return this.#waiting.amount - this.book.available + this.#ahead
  }

  #recordGrant(amount: number) {
    this.book.grant(amount)
    this.#isOpen = true
    this.#toppedUpAt = this.services.clock.monotonic()
  }

  /** Asks the other workers for what they hold and do not need. Returns whether any holds something. */
  async #recall(): Promise<boolean> {
    const { store, clock, timers } = this.services
    if (!(await store.recall(this.key))) return false
    const until = clock.monotonic() + recallTimeoutMs
    do await timers.wait(recallStepMs)
    while (clock.monotonic() < until && (await store.isRecallOpen(this.key)))
    return true
  }

  /** Serves the waiting calls that memory covers, out of turn. */
  #serveCovered() {
    if (this.#isOpen) this.#waiting.grantCovered(this.book)
  }

  /** The database does not answer. Calls go on while the lease lasts. */
  #refuseAll() {
    this.#serveCovered()
    this.#waiting.refuseAll(() => new AppError('ledger.unavailable'))
  }
}
