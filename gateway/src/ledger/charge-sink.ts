import type { ChargeRecord } from './charge-record'

/** Where charges become durable and then reach the database. */
export interface ChargeSink {
  /**
   * Resolves when the charge is durable.
   * @throws AppError `ledger.unavailable` when that is not soon; it is tried on in the background.
   */
  add(record: ChargeRecord): Promise<void>
  /** Charges cannot be made durable at present: no new call should begin. */
  readonly isFailing: boolean
  /** Charges that wait to be made durable. */
  readonly queued: number
  /** Charges that are durable but not in the database yet, and how long the first of them waits. */
  readonly journaled: { readonly depth: number; readonly oldestSeconds: number }
  /** Resolves when all charges are in the database, or when it does not answer in time; answers whether they are. */
  settle(timeoutMs: number): Promise<boolean>
  close(): Promise<void>
}
