import type { AppError } from '../../../platform/app-error'
import type { LeaseBook } from './lease-book'
import type { HoldRange } from '../ledger'

/** What a call may hold now. */
export interface Grant {
  readonly amount: number
  /** What the balance could have paid, where it could not pay the most that was wanted; null where it could. */
  readonly spendable: number | null
}

/** Returns what a call is told for which a balance does not suffice; `need` is the least it makes do with. */
export type RefusalOf = (balance: number, need: number) => AppError

interface WaitingCall {
  readonly holdRange: HoldRange
  /** Other workers are given time to give back what they can spare; otherwise the next call finds it. */
  readonly waitsForOthers: boolean
  readonly refusalOf: RefusalOf
  /** What it waits for: `max` until it is clear that the balance cannot pay that. */
  amount: number
  spendable: number | null
  /** Other workers were asked for their share since it came. */
  hasRecalled: boolean
  resolve: (grant: Grant) => void
  reject: (error: AppError) => void
}

/** A call that a balance cannot fully pay gets one part of this many, so that others can run at the same time. */
const lowShare = 4

/** The calls that wait for a lease, in the order in which they came. */
export class WaitingCalls {
  #calls: WaitingCall[] = []

  get first(): WaitingCall | undefined {
    return this.#calls[0]
  }
  get isEmpty(): boolean {
    return this.#calls.length === 0
  }
  /** What all of them wait for. */
  get amount(): number {
    return this.#calls.reduce((sum, { amount }) => sum + amount, 0)
  }

  /** Resolves when the call is granted its amount; rejects when it is refused. */
  add(holdRange: HoldRange, refusalOf: RefusalOf, waitsForOthers: boolean): Promise<Grant> {
    const { promise, resolve, reject } = Promise.withResolvers<Grant>()
    const { max: amount } = holdRange
    const waiting = { holdRange, refusalOf, waitsForOthers, amount, spendable: null, hasRecalled: false }
    this.#calls.push({ ...waiting, resolve, reject })
    return promise
  }

  /** Grants what a book covers, up to the first call that it does not cover. */
  grantInOrder(book: LeaseBook): void {
    for (let { first } = this; first && book.available >= first.amount; { first } = this) {
      this.#calls.shift()
      grant(first, book)
    }
  }

  /** Grants what a book covers, also to calls behind one that it does not cover. */
  grantCovered(book: LeaseBook): void {
    this.#calls = this.#calls.filter((call) => {
      if (book.available < call.amount) return true
      grant(call, book)
      return false
    })
  }

  /** Other workers were asked for their share. */
  markRecalled(): void {
    for (const call of this.#calls) call.hasRecalled = true
  }

  /** Lowers what the first call waits for, if it can do with less. Refuses the calls whose minimum a balance does not cover. */
  refuseUncovered(first: WaitingCall, balance: number): void {
    const isLowered = lower(first, balance)
    const isRefused = (call: WaitingCall) => (call === first ? !isLowered : call.holdRange.min > balance)
    const refused = this.#calls.filter(isRefused)
    this.#calls = this.#calls.filter((call) => !refused.includes(call))
    for (const { holdRange, refusalOf, reject } of refused) reject(refusalOf(balance, holdRange.min))
  }

  refuseAll(errorOf: () => AppError): void {
    const refused = this.#calls
    this.#calls = []
    for (const { reject } of refused) reject(errorOf())
  }
}

function grant({ amount, spendable, resolve }: WaitingCall, book: LeaseBook): void {
  book.reserve(amount)
  resolve({ amount, spendable })
}

/** Lets a call wait for a share of the balance. Returns false when the balance is less than the minimum it wants. */
function lower(call: WaitingCall, balance: number): boolean {
  const { max, min, fair = min } = call.holdRange
  if (balance < min || balance <= 0) return false
  call.spendable = balance
  call.amount = Math.min(balance, max, Math.max(fair, Math.floor(balance / lowShare)))
  return true
}
