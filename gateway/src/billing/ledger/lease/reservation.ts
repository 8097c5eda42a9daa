import type { Lease } from './lease'
import type { Payer, Reservation } from '../ledger'

export interface HeldFrom {
  readonly user: Lease
  readonly token: Lease | null
  readonly amount: number
  readonly spendable: number | null
}

/** A reservation that knows which leases carry it, and ends once. */
export class HeldReservation implements Reservation {
  readonly user: Lease
  readonly token: Lease | null
  readonly spendable: number | null
  #amount: number
  #isOpen = true

  constructor(
    readonly requestId: string,
    readonly payer: Payer,
    { user, token, amount, spendable }: HeldFrom,
  ) {
    this.user = user
    this.token = token
    this.spendable = spendable
    this.#amount = amount
  }

  get amount(): number {
    return this.#amount
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Takes over what was reserved from the same leases for more of this call. */
  grow(amount: number): void {
    this.user.book.merge()
    this.token?.book.merge()
    this.#amount += amount
  }

  /** Ends it. Returns false from the second time on. */
  end(): boolean {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    return wasOpen
  }
}
