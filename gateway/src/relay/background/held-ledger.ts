import type { Charge, Ledger } from '../../billing/ledger/ledger'

/** A ledger for one call whose quota is held in the database. */
export interface HeldLedger {
  readonly ledger: Ledger
  /** What the call is to be charged; null: it was not charged. */
  readonly charge: Charge | null
}

/**
 * Returns a ledger that notes what a call costs and moves nothing: the hold ends with the task, in one transaction with its answer. Once the
 * task has ended elsewhere nothing is charged any more.
 */
export function heldLedger(ledger: Ledger, signal: AbortSignal): HeldLedger {
  let noted: Charge | null = null
  return {
    ledger: {
      ...ledger,
      extend: () => 0,
      release() {},
      async charge(_, charge) {
        signal.throwIfAborted()
        noted = charge
      },
    },
    get charge() {
      return noted
    },
  }
}
