import type { ChargeRecord } from '../../src/billing/ledger/charge/charge-record'
import type { Process } from './process'

/** What a charge takes from one balance or window. */
export interface Part {
  readonly kind: 'user' | 'token' | 'window'
  readonly refId: number
  readonly lease: string
  readonly cost: number
  /** Cost beyond the reservation. */
  readonly excess: number
}

/** A charge as its client and its worker know it. */
export interface Submitted {
  readonly record: ChargeRecord
  readonly process: Process
  readonly nodeId: string
  /** Those of windows of a hold are known once it is in the database. */
  readonly parts: Part[]
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
  find(requestId: string): Submitted | undefined {
    return this.#byRequest.get(requestId)
  }

  add(submitted: Submitted): void {
    const { record } = submitted
    if (this.#byRequest.has(record.requestId)) throw new Error(`${record.requestId} was submitted before`)
    this.#byRequest.set(record.requestId, submitted)
    for (const { lease, excess } of submitted.parts) {
      this.#excess.set(lease, this.excessOf(lease) + excess)
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
    for (const { lease } of submitted.parts) {
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
    for (const { parts } of this.#open.get(leaseId) ?? [])
      for (const { lease, cost } of parts) if (lease === leaseId) sum += cost
    return sum
  }
}

const maxRemembered = 400
