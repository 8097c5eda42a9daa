import * as z from 'zod'

import { AppError } from '../app-error'
import type { Transaction } from '../store/database'
import type { OrderRow } from '../store/tables'
import { afterMovements } from './after-movements'
import { keepEvent, lockedOrder, settle, store, type Applied, type ApplyParts } from './apply-event'
import { withoutRefund } from './order-facts'

interface Wanted {
  readonly number: string
  /** Whether refunds went through whose responses were lost. */
  readonly wasPaidBack: boolean
  readonly operatorId: number
  readonly requestId: string
}

/** A refund requested later than this may still be in progress. */
const answerSeconds = 60

const RefundFacts = z.object({ minor: z.number().int() })

/**
 * Removes the mark from an order that an operator looked into. Refunds that did not go through after all give their quota back.
 * @throws AppError `order.none`.
 */
export async function resolveProblem(parts: ApplyParts, wanted: Wanted): Promise<Applied> {
  const { number, wasPaidBack, operatorId, requestId } = wanted
  const { before, settled } = await parts.database.query.transaction().execute(async (transaction) => {
    const before = await lockedOrder(transaction, number)
    if (!before) throw new AppError('order.none')
    if (before.problem === '') return { before, settled: { after: before, movements: [] } }
    const now = Math.floor(parts.clock.now() / 1000)
    const undone = await endRefunds(transaction, before, now - answerSeconds, wasPaidBack)
    const refunded = withoutRefund(before, undone)
    const settled = await settle(parts, transaction, before, { ...before, problem: '', refunded_minor: refunded })
    await store(transaction, before, settled.after)
    await keepEvent(transaction, {
      order: before,
      event: { id: `resolved:${number}:${requestId}`, kind: 'resolved' },
      report: { provider: before.provider, source: 'operator', requestId, payload: JSON.stringify({ operatorId }) },
      outcome: before.problem,
      now,
    })
    return { before, settled }
  })
  await afterMovements(parts, requestId, settled.movements)
  return { outcome: 'applied', before, after: settled.after }
}

/** Records how refunds without a response ended. Returns the sum of those that paid nothing back. */
async function endRefunds(
  transaction: Transaction,
  { id, problem }: OrderRow,
  until: number,
  wasPaidBack: boolean,
): Promise<number> {
  if (problem !== 'refund') return 0
  const open = await transaction
    .selectFrom('order_events')
    .select(['id', 'payload'])
    .where('order_id', '=', id)
    .where('kind', '=', 'refund')
    .where((eb) =>
      eb.or([eb('outcome', '=', 'uncertain'), eb.and([eb('outcome', '=', 'asked'), eb('created_at', '<=', until)])]),
    )
    .execute()
  let undone = 0
  for (const event of open) {
    if (!wasPaidBack) undone += RefundFacts.parse(JSON.parse(event.payload)).minor
    const outcome = wasPaidBack ? 'paid_back' : 'refused'
    await transaction.updateTable('order_events').set({ outcome }).where('id', '=', event.id).execute()
  }
  return undone
}
