import * as z from 'zod'

import type { Transaction } from '../../platform/store/database'
import type { OrderRow } from '../../platform/store/tables'

/** A refund requested later than this may still be in progress. */
const maxResponseSeconds = 60

/** What is kept of a refund. `quota` is what it took back; earlier releases did not keep it. */
const RefundFacts = z.object({ minor: z.number().int(), quota: z.number().int().default(0) })

/** A refund of which it is not known whether the money was paid back. */
export interface OpenRefund {
  readonly id: number
  /** Its number among the refunds of the order, from 1. */
  readonly count: number
  readonly minor: number
  readonly quota: number
  readonly createdAt: number
  /** It was requested a moment ago, and its response may be on its way. */
  readonly isInProgress: boolean
}

/** Returns the id of the event row of a refund. */
export const refundEventId = (orderNumber: string, count: number): string => `refund:${orderNumber}:${count}`

/** Resolves with the refunds of an order whose response was lost, or may still arrive; oldest first. */
export async function openRefunds(transaction: Transaction, order: OrderRow, now: number): Promise<OpenRefund[]> {
  const rows = await transaction
    .selectFrom('order_events')
    .select(['id', 'event_id', 'outcome', 'payload', 'created_at'])
    .where('order_id', '=', order.id)
    .where('kind', '=', 'refund')
    .where('outcome', 'in', ['uncertain', 'asked'])
    .orderBy('id')
    .execute()
  return rows.map(({ id, event_id: event, outcome, payload, created_at: at }) => ({
    id,
    count: Number(event.slice(refundEventId(order.number, 0).length - 1)),
    ...RefundFacts.parse(JSON.parse(payload)),
    createdAt: at,
    isInProgress: outcome === 'asked' && at > now - maxResponseSeconds,
  }))
}

/** Records how refunds ended. */
export async function closeRefunds(
  transaction: Transaction,
  refunds: readonly OpenRefund[],
  outcome: 'refunded' | 'paid_back' | 'refused',
): Promise<void> {
  for (const { id } of refunds)
    await transaction.updateTable('order_events').set({ outcome }).where('id', '=', id).execute()
}
