import { daySeconds } from '@tollgate/contract'
import { percentOf } from '@tollgate/contract/price-formula'

import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { OrderRow } from '../../platform/store/tables'
import type { Movement } from './movement'
import { amountToTake } from './order-facts'

type Deps = Pick<Context, 'catalog' | 'ledger'>

/** Notes what an order that was just credited brings the inviter of its owner. The order is locked. */
export async function noteCommission({ catalog }: Deps, transaction: Transaction, order: OrderRow): Promise<void> {
  const {
    AffEnabled: isEnabled,
    InvitationCommissionRate: rate,
    InvitationCommissionDays: days,
    InvitationCommissionDelayDays: delayDays,
  } = catalog.current.options
  const amount = percentOf(order.quota_credited, rate)
  if (!isEnabled || amount === 0) return
  const invitation = await invitationOf(transaction, order.user_id)
  if (!invitation || (days > 0 && order.paid_at > invitation.created_at + days * daySeconds)) return
  await transaction
    .insertInto('commissions')
    .values({
      order_number: order.number,
      inviter_id: invitation.inviter_id,
      invitee_id: order.user_id,
      amount,
      taken: amountToTake(amount, order),
      state: 'pending',
      created_at: order.paid_at,
      due_at: order.paid_at + delayDays * daySeconds,
    })
    .execute()
}

/**
 * Resolves with the invitation by which a user came, where it may bring something: who had an account before has none, and one between
 * related accounts brings nothing. Inviters are the older account, so that no chain of commissions is circular.
 */
const invitationOf = (transaction: Transaction, userId: number) =>
  transaction
    .selectFrom('invitations')
    .innerJoin('users as inviter', 'inviter.id', 'invitations.inviter_id')
    .select(['invitations.inviter_id', 'invitations.created_at'])
    .where('invitations.invitee_id', '=', userId)
    .whereRef('invitations.inviter_id', '<', 'invitations.invitee_id')
    .where('invitations.state', 'in', ['waiting', 'rewarded'])
    .where('inviter.deleted_at', 'is', null)
    .executeTakeFirst()

/**
 * Takes from the commission of an order the part that went with its money, or gives it back; once it was credited, by a credit. The order
 * is locked.
 */
export async function followOrder(
  { ledger }: Pick<Deps, 'ledger'>,
  transaction: Transaction,
  order: OrderRow,
): Promise<Movement[]> {
  const commission = await transaction
    .selectFrom('commissions')
    .innerJoin('users', 'users.id', 'commissions.inviter_id')
    .selectAll('commissions')
    .select('users.username')
    .where('order_number', '=', order.number)
    .executeTakeFirst()
  if (!commission) return []
  const { inviter_id: userId, state, credits, username } = commission
  const taken = amountToTake(commission.amount, order)
  const amount = commission.taken - taken
  if (amount === 0) return []
  const isCredited = state === 'settled'
  await transaction
    .updateTable('commissions')
    .set({ taken, ...(isCredited && { credits: credits + 1 }) })
    .where('order_number', '=', order.number)
    .execute()
  if (!isCredited) return []
  const id = `commission:${order.number}:${credits}`
  await ledger.credit({ id, userId, kind: 'commission', amount, detail: order.number }, transaction)
  const text = amount > 0 ? 'log.commission' : 'log.commission_taken'
  return [{ of: 'commission', order, userId, username, text, amount, minor: 0 }]
}
