import type { PhraseCode } from '@tollgate/contract'

import type { OrderRow } from '../../platform/store/tables'

/** Quota that an order moved. */
export interface Movement {
  readonly order: OrderRow
  /** Name of the order's owner, read in the transaction that moved the quota. */
  readonly username: string
  readonly text: Extract<PhraseCode, `log.top_up_${string}` | 'log.topped_up'>
  /** Quota; a negative amount was clawed back. */
  readonly amount: number
  /** The money behind it. */
  readonly minor: number
}
