import type { PhraseCode } from '@tollgate/contract'

import type { OrderRow } from '../../platform/store/tables'

/** Quota that an order moved: its own, the bonus on top of it, or the commission of the owner's inviter. */
export type Movement = OrderMovement | SideMovement

export interface OrderMovement extends Moved {
  readonly of: 'order'
  readonly text: Extract<PhraseCode, `log.top_up_${string}` | 'log.topped_up'>
}

interface SideMovement extends Moved {
  readonly of: 'bonus' | 'commission'
  readonly text: Extract<PhraseCode, `log.bonus${string}` | `log.commission${string}`>
}

interface Moved {
  readonly order: OrderRow
  /** Whose balance moved: the order's owner, or of a commission the inviter. */
  readonly userId: number
  /** Their name, read in the transaction that moved the quota. */
  readonly username: string
  /** Quota; a negative amount was clawed back. */
  readonly amount: number
  /** The money behind it. */
  readonly minor: number
}

/** Returns the movements of the orders' own quota, which payers are told of. */
export const ofOrders = (movements: readonly Movement[]): OrderMovement[] =>
  movements.filter((movement) => movement.of === 'order')
