import type { Lease } from './lease'
import type { Payer, Reservation } from './ledger'

/** A reservation that knows which leases carry it, and ends once. */
export class HeldReservation implements Reservation {
  #isOpen = true

  constructor(
    readonly requestId: string,
    readonly payer: Payer,
    readonly amount: number,
    readonly user: Lease,
    readonly token: Lease | null,
  ) {}

  /** Answers false from the second time on. */
  end(): boolean {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    return wasOpen
  }
}
