/**
 * What one worker holds of one balance: the arithmetic of a lease, without time or database.
 * `held` is what was leased and is neither charged nor given back; it goes below zero when calls cost more than they
 * reserved. `reserved` belongs to running calls, some of which may reserve nothing. `pending` counts charges that the
 * database has not applied.
 */
export class LeaseBook {
  #held = 0
  #reserved = 0
  #calls = 0
  #pending = 0

  get held(): number {
    return this.#held
  }
  get reserved(): number {
    return this.#reserved
  }
  get pending(): number {
    return this.#pending
  }
  /** What another call may reserve; below zero after an excess, which the next lease makes good first. */
  get available(): number {
    return this.#held - this.#reserved
  }
  get isInUse(): boolean {
    return this.#calls > 0
  }
  /** No call runs on it and every charge is applied, so the database's row says exactly what is left. */
  get isSettled(): boolean {
    return this.#calls === 0 && this.#pending === 0
  }

  grant(amount: number): void {
    this.#held += amount
  }
  /** A call begins. */
  reserve(amount: number): void {
    this.#reserved += amount
    this.#calls += 1
  }
  /** A running call needs less than it reserved. */
  reduce(amount: number): void {
    this.#reserved -= amount
  }
  /** What was reserved as two calls is one. */
  merge(): void {
    this.#calls -= 1
  }
  /** A call ends and costs nothing. */
  release(amount: number): void {
    this.#reserved -= amount
    this.#calls -= 1
  }
  /** A call that had reserved `amount` ends and costs `cost`. */
  charge(amount: number, cost: number): void {
    this.#reserved -= amount
    this.#calls -= 1
    this.#held -= cost
    this.#pending += 1
  }
  markApplied(charges = 1): void {
    this.#pending -= charges
  }
  /** The balance paid what the lease did not cover. */
  applyOverdraft(amount: number): void {
    this.#held += amount
  }
  /** A charge was given up: its call costs nothing. */
  uncharge(cost: number): void {
    this.#held += cost
    this.#pending -= 1
  }
  /** Takes away what is not reserved, to give it back. Returns how much. */
  giveBack(): number {
    const amount = Math.max(0, this.available)
    this.#held -= amount
    return amount
  }
  /** Ends the lease. Returns what it still held. */
  end(): number {
    const amount = this.#held
    this.#held = 0
    return amount
  }
}

/** A worker leaves most of a balance to the others. */
const shareOfFree = 16

/**
 * How much to lease: `missing` at least, `wanted` at most, and beyond `missing` no more than a sixteenth of what is free.
 * Null when what is free does not even cover `missing`.
 */
export function leaseSize(free: number, missing: number, requested: number): number | null {
  if (free < missing) return null
  return Math.max(missing, Math.min(requested, Math.floor(free / shareOfFree)))
}
