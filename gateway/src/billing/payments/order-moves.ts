import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { OrderRow } from '../../platform/store/tables'
import type { Movement, OrderMovement } from './movement'
import { onceBonusId } from './top-up-bonus'

/** Moves the quota of a locked order, and keeps what was moved. */
export class OrderMoves {
  readonly movements: Movement[] = []
  readonly #ledger: Context['ledger']
  readonly #transaction: Transaction
  readonly #order: OrderRow
  readonly #username: string

  /** @param order counts its movements in `credits` */
  constructor({ ledger }: Pick<Context, 'ledger'>, transaction: Transaction, order: OrderRow, username: string) {
    this.#ledger = ledger
    this.#transaction = transaction
    this.#order = order
    this.#username = username
  }

  async move(kind: 'top-up' | 'refund', text: OrderMovement['text'], amount: number, minor: number): Promise<void> {
    await this.#credit(this.#nextId('order'), kind, amount)
    this.movements.push({ ...this.#owner, of: 'order', text, amount, minor })
  }

  /** Resolves with how much of the bonus was credited: nothing where the user gets it once and had it by another order. */
  async creditBonus(): Promise<number> {
    const { bonus, once_tier: onceTier, user_id: userId } = this.#order
    if (bonus === 0) return 0
    return this.#moveBonus(onceTier > 0 ? onceBonusId(userId, onceTier) : this.#nextId('bonus'), bonus)
  }

  async changeBonus(amount: number): Promise<void> {
    await this.#moveBonus(this.#nextId('bonus'), amount)
  }

  async #moveBonus(id: string, amount: number): Promise<number> {
    const isNew = await this.#credit(id, 'bonus', amount)
    if (!isNew) return 0
    const text = amount > 0 ? 'log.bonus' : 'log.bonus_taken'
    this.movements.push({ ...this.#owner, of: 'bonus', text, amount, minor: 0 })
    return amount
  }

  get #owner() {
    return { order: this.#order, userId: this.#order.user_id, username: this.#username }
  }

  /** A natural key: the order is locked, and each movement has the next number. */
  #nextId(prefix: 'order' | 'bonus'): string {
    const { number, credits } = this.#order
    this.#order.credits += 1
    return credits === 0 ? `${prefix}:${number}` : `${prefix}:${number}:${credits}`
  }

  #credit(id: string, kind: 'top-up' | 'bonus' | 'refund', amount: number): Promise<boolean> {
    const { user_id: userId, number } = this.#order
    return this.#ledger.credit({ id, userId, kind, amount, detail: number }, this.#transaction)
  }
}
