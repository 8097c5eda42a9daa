import type { LedgerProblem } from '../billing/ledger/ledger'

/** What `/health/ready` says; all but `ready` come with 503. */
export type ReadyState = 'ready' | 'draining' | 'secrets' | LedgerProblem

/** Whether this worker wants new calls. It stops wanting them before it stops taking them. */
export interface Readiness {
  readonly isDraining: boolean
  setDraining(): void
  /** Records the result of a check. */
  found(state: ReadyState): void
  /**
   * False while draining; otherwise whether the secrets could be decrypted at the last check. What the ledger and the database can do is
   * known elsewhere.
   */
  readonly isReady: boolean
}

export function createReadiness(): Readiness {
  let isDraining = false
  let isFine = true
  return {
    get isDraining() {
      return isDraining
    },
    get isReady() {
      return isFine && !isDraining
    },
    setDraining() {
      isDraining = true
    },
    found(state) {
      if (state === 'ready' || state === 'secrets') isFine = state === 'ready'
    },
  }
}
