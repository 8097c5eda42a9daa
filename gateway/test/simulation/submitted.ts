import type { ChargeRecord } from '../../src/billing/ledger/charge/charge-record'
import type { Process } from './process'

/** A charge as its client and its worker know it. */
export interface Submitted {
  readonly record: ChargeRecord
  readonly process: Process
  readonly nodeId: string
  /** Cost beyond the reservation. */
  readonly excess: number
  /** The ledger acknowledged it as durable. */
  isAcknowledged: boolean
  /** The ledger gave it up: it must never be charged. */
  isRefused: boolean
  /** It is in the database. */
  isCharged: boolean
}

/** All requested charges, by request and by the leases that pay. */
export class SubmittedCharges {
  readonly #byRequest = new Map<string, Submitted>()
  /** Not in the database yet. */
  readonly #open = new Map<string, Set<Submitted>>()
  readonly #excess = new Map<string, number>()
  /** Returns some that are durable, to be applied again. */
  readonly durable: Submitted[] = []

  get all(): Iterable<Submitted> {
    return this.#byRequest.values()
  }

  add(submitted: Submitted): void {
    const { record } = submitted
    if (this.#byRequest.has(record.requestId)) throw new Error(`${record.requestId} was submitted before`)
    this.#byRequest.set(record.requestId, submitted)
    for (const lease of leasesOf(record)) {
      this.#excess.set(lease, this.excessOf(lease) + submitted.excess)
      const open = this.#open.get(lease)
      if (open) open.add(submitted)
      else this.#open.set(lease, new Set([submitted]))
    }
  }

  markAcknowledged(submitted: Submitted): void {
    submitted.isAcknowledged = true
    this.durable.push(submitted)
    if (this.durable.length > maxRemembered) this.durable.splice(0, maxRemembered / 2)
  }

  markRefused(submitted: Submitted): void {
    submitted.isRefused = true
    if (submitted.isCharged) throw new Error(`${submitted.record.requestId} was charged and refused`)
    this.#close(submitted)
  }

  markCharged(requestId: string): Submitted {
    const submitted = this.#byRequest.get(requestId)
    if (!submitted) throw new Error(`${requestId} was charged without a request`)
    if (submitted.isCharged) throw new Error(`${requestId} was charged twice`)
    if (submitted.isRefused) throw new Error(`${requestId} was refused and charged`)
    submitted.isCharged = true
    this.#close(submitted)
    return submitted
  }

  #close(submitted: Submitted): void {
    for (const lease of leasesOf(submitted.record)) {
      const open = this.#open.get(lease)
      open?.delete(submitted)
      if (open?.size === 0) this.#open.delete(lease)
    }
  }

  /** Returns the unpaid cost of a lease. */
  openOf(leaseId: string): readonly Submitted[] {
    return [...(this.#open.get(leaseId) ?? [])]
  }

  /** Returns what calls on a lease cost beyond their reservations. */
  excessOf(leaseId: string): number {
    return this.#excess.get(leaseId) ?? 0
  }

  openCostOf(leaseId: string): number {
    let sum = 0
    for (const { record } of this.#open.get(leaseId) ?? []) sum += record.cost
    return sum
  }
}

const maxRemembered = 400

const leasesOf = ({ userLease, tokenLease }: ChargeRecord) =>
  tokenLease === '' ? [userLease] : [userLease, tokenLease]
