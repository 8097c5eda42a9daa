import type { paymentRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { OrderRow } from '../../platform/store/tables'
import { followOrder, noteCommission } from './commission'
import { factsAfter, amountToTake, quotaToTake, statusOfOrder } from './order-facts'
import { afterMovements } from './after-movements'
import { ofOrders, type Movement, type OrderMovement } from './movement'
import { beginOrderedPlan, endOrderedPlan, resumeOrderedPlan } from '../plans/order-plan'
import type { PlanDeps } from '../plans/subscription'
import { correctInvoice } from './documents/order-documents'
import { OrderMoves } from './order-moves'
import { closeRefunds, openRefunds, type OpenRefund } from './open-refunds'
import type { PaymentEvent } from './provider'

type OrderProblem = paymentRoutes.OrderProblem

export type ApplyDeps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'ledger' | 'log' | 'notifyPayer'>

/** The source of a report. */
export interface Report {
  readonly provider: string
  readonly source: 'callback' | 'answer' | 'operator'
  readonly requestId: string
  /** What the provider sent, without signatures. */
  readonly payload: string
  /** The operator who reports it; it is not compared with the order. */
  readonly operatorId?: number
}

/**
 * `applied`: the order changed. `repeated`: it contains no news. `unknown`: there is no such order. `wrong_…`: it differs from the order,
 * which is marked for the operator and not credited.
 */
export type Outcome =
  | 'applied'
  | 'repeated'
  | 'unknown'
  | `wrong_${Exclude<OrderProblem, 'twice' | 'refund' | 'refund_failed'>}`
  | 'paid_twice'

export interface Applied {
  readonly outcome: Outcome
  /** Before and after; absent for an unknown order. */
  readonly before?: OrderRow
  readonly after?: OrderRow
}

const maxPayloadLength = 4000

/**
 * Settles what a provider reports about an order: the one place that credits orders and claws quota back. Everything happens in one
 * transaction that locks the order, and credits follow from facts on its row: repeated, parallel, late or reordered reports move the same
 * quota once. A provider may only be told that its report arrived once this has resolved.
 */
export async function applyEvent(deps: ApplyDeps, event: PaymentEvent, report: Report): Promise<Applied> {
  const { applied, movements } = await deps.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, event.orderNumber)
    if (!order) return { applied: { outcome: 'unknown' } as const, movements: [] }
    const now = deps.clock.seconds()
    const outcome = await outcomeOf(transaction, order, event, report)
    const { after, movements } =
      outcome === 'applied'
        ? await settle(deps, transaction, order, factsAfter(order, event, now, report.operatorId))
        : { after: { ...order, problem: problemOf(outcome) ?? order.problem }, movements: [] }
    await store(deps, transaction, order, after)
    // A report of all the money also tells how refunds without a response ended.
    const endedRefunds =
      order.problem === 'refund' && after.problem !== 'refund' ? await endRefunds(transaction, order, now) : []
    const isReturned = after.refund_failed_minor > order.refund_failed_minor
    const storedEvent = { id: event.id, kind: isReturned ? 'refund-failed' : event.kind } as const
    await keepEvent(transaction, { order, event: storedEvent, report, outcome, now })
    await deps.notifyPayer([...endedRefunds, ...ofOrders(movements)], transaction)
    return { applied: { outcome, before: order, after }, movements }
  })
  if (applied.outcome.startsWith('wrong_') || applied.outcome === 'paid_twice')
    deps.log.warn({ order: event.orderNumber, outcome: applied.outcome }, 'a payment differs from its order')
  await afterMovements(deps, report.requestId, movements)
  return applied
}

/** Resolves with what the refunds took back whose responses were lost. */
async function endRefunds(transaction: Transaction, order: OrderRow, now: number): Promise<OrderMovement[]> {
  const lost = (await openRefunds(transaction, order, now)).filter(({ isInProgress }) => !isInProgress)
  await closeRefunds(transaction, lost, 'refunded')
  return Promise.all(lost.map((refund) => movementOf(transaction, order, refund)))
}

/** Resolves with what a refund took back, as it was kept. */
export const movementOf = async (
  transaction: Transaction,
  order: OrderRow,
  { quota, minor }: OpenRefund,
): Promise<OrderMovement> => ({
  of: 'order',
  order,
  userId: order.user_id,
  username: await usernameOf(transaction, order.user_id),
  text: 'log.top_up_refunded',
  amount: -quota,
  minor,
})

/** Its first statement writes, so that SQLite has the write lock before it reads. */
export async function lockedOrder(transaction: Transaction, number: string): Promise<OrderRow | undefined> {
  await transaction
    .updateTable('orders')
    .set((eb) => ({ status: eb.ref('status') }))
    .where('number', '=', number)
    .execute()
  return transaction.selectFrom('orders').selectAll().where('number', '=', number).executeTakeFirst()
}

async function outcomeOf(
  transaction: Transaction,
  order: OrderRow,
  event: PaymentEvent,
  { provider, operatorId }: Report,
): Promise<Outcome> {
  if (operatorId === undefined) {
    const difference = differenceOf(order, event, provider)
    if (difference) return difference
  }
  const known = await transaction
    .selectFrom('order_events')
    .select('id')
    .where('provider', '=', provider)
    .where('event_id', '=', event.id)
    .where('outcome', '=', 'applied')
    .executeTakeFirst()
  if (known) return 'repeated'
  if (event.kind !== 'paid') return 'applied'
  if (order.paid_at === 0) return 'applied'
  const isOther =
    event.providerNumber !== undefined && order.provider_number !== '' && event.providerNumber !== order.provider_number
  return isOther ? 'paid_twice' : 'repeated'
}

/** Returns how a report differs from its order; null where it does not. */
export function differenceOf(order: OrderRow, event: PaymentEvent, provider: string): Outcome | null {
  if (order.provider !== provider) return 'wrong_provider'
  if (order.merchant !== event.merchant) return 'wrong_merchant'
  if (withoutMoney.has(event.kind)) return null
  if (order.currency !== event.currency) return 'wrong_currency'
  if (event.kind === 'paid' && order.minor !== event.minor) return 'wrong_amount'
  return null
}

const withoutMoney: ReadonlySet<PaymentEvent['kind']> = new Set(['under-way', 'failed', 'expired'])

const problems: Partial<Record<Outcome, OrderProblem>> = {
  wrong_provider: 'provider',
  wrong_merchant: 'merchant',
  wrong_amount: 'amount',
  wrong_currency: 'currency',
  paid_twice: 'twice',
}
const problemOf = (outcome: Outcome): OrderProblem | undefined => problems[outcome]

/** Credits what the facts require beyond what was credited, and claws back what they no longer allow. */
export async function settle(
  deps: PlanDeps,
  transaction: Transaction,
  before: OrderRow,
  facts: OrderRow,
): Promise<{ after: OrderRow; movements: readonly Movement[] }> {
  const after = { ...facts, status: statusOfOrder(facts) }
  if (after.paid_at === 0) return { after, movements: [] }
  // The inviter's balance is locked before the invitee's, as everywhere in the ledger.
  const ofInviter = await followOrder(deps, transaction, after)
  const moves = new OrderMoves(deps, transaction, after, await usernameOf(transaction, after.user_id))
  if (after.quota_credited === 0) {
    after.quota_credited = after.quota
    await moves.move('top-up', 'log.topped_up', after.quota, after.minor)
    after.bonus_credited = await moves.creditBonus()
    await noteCommission(deps, transaction, after)
    if (after.plan_id > 0) await beginOrderedPlan(deps, transaction, after)
  }
  const change = after.quota_taken - quotaToTake(after)
  after.quota_taken -= change
  // What was reported before the payment counts from now on.
  const known = before.paid_at > 0 ? before : { refunded_minor: 0, disputed_minor: 0 }
  const refundedNow = after.refunded_minor - known.refunded_minor
  const disputedNow = after.disputed_minor - known.disputed_minor
  if (change < 0 && after.plan_id > 0) await endOrderedPlan(deps, transaction, after, -change)
  if (change > 0 && after.plan_id > 0) await resumeOrderedPlan(deps, transaction, after, change)
  if (change > 0) await moves.move('refund', 'log.top_up_restored', change, -refundedNow - disputedNow)
  else if (change < 0 && disputedNow > 0) await moves.move('refund', 'log.top_up_disputed', change, disputedNow)
  else if (change < 0) await moves.move('refund', 'log.top_up_refunded', change, refundedNow)
  const bonusChange = after.bonus_taken - amountToTake(after.bonus_credited, after)
  after.bonus_taken -= bonusChange
  if (bonusChange !== 0) await moves.changeBonus(bonusChange)
  return { after, movements: [...moves.movements, ...ofInviter] }
}

async function usernameOf(transaction: Transaction, userId: number): Promise<string> {
  const owner = await transaction.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst()
  return owner?.username ?? ''
}

/** Writes the members that changed, and corrects the invoice of the order where there is one. */
export async function store(
  deps: Pick<ApplyDeps, 'catalog' | 'clock'>,
  transaction: Transaction,
  before: OrderRow,
  after: OrderRow,
): Promise<void> {
  const { id, ...columns } = after
  if (JSON.stringify(before) === JSON.stringify(after)) return
  await transaction.updateTable('orders').set(columns).where('id', '=', id).execute()
  if (after.paid_at > 0) await correctInvoice(deps, transaction, after)
}

/** The kind of an event row: what was reported, with returned refunds separate, or what an operator did. */
type EventKind = PaymentEvent['kind'] | 'refund-failed' | 'refund' | 'resolved'

interface StoredEvent {
  readonly order: OrderRow
  readonly event: { readonly id: string; readonly kind: EventKind }
  readonly report: Report
  readonly outcome: string
  readonly now: number
}

/** Once an event is applied it stays so; until then the row has the latest outcome. */
export async function keepEvent(
  transaction: Transaction,
  { order, event, report, outcome, now }: StoredEvent,
): Promise<void> {
  const { provider, source, payload } = report
  await transaction
    .insertInto('order_events')
    .values({
      order_id: order.id,
      provider,
      event_id: event.id,
      kind: event.kind,
      source,
      outcome,
      payload: payload.slice(0, maxPayloadLength),
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'event_id'])
        .doUpdateSet({ outcome, source, payload: payload.slice(0, maxPayloadLength) })
        .where('order_events.outcome', '!=', 'applied'),
    )
    .execute()
}
