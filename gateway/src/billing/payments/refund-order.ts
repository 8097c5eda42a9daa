import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { OrderRow } from '../../platform/store/tables'
import { keepEvent, lockedOrder, movementOf, settle, store, type Applied, type ApplyDeps } from './apply-event'
import { afterMovements } from './after-movements'
import { ofOrders, type Movement } from './movement'
import { minorOf, moneyText } from './currency'
import { openRefunds, refundEventId } from './open-refunds'
import { withoutRefund } from './order-facts'
import type { PaymentDeps, RefundResult } from './provider'
import { providerOf } from './providers'

type Deps = ApplyDeps & PaymentDeps & Pick<Context, 'database'>

interface RefundRequest {
  readonly number: string
  /** In the order's currency; undefined: what is left. */
  readonly amount?: string
  /** The money was paid back in another way. */
  readonly isPaidBack: boolean
  readonly operatorId: number
  readonly requestId: string
}

/** A refund in progress. */
interface StartedRefund {
  readonly before: OrderRow
  readonly after: OrderRow
  readonly minor: number
  readonly movements: readonly Movement[]
  /** Number among the refunds of the order, from 1. */
  readonly count: number
  /** The response to it was lost before. */
  readonly isRepeated: boolean
}

/** Returns what can be refunded of an order, in the smallest unit of its currency. */
export const refundableOf = ({
  paid_at: paidAt,
  minor,
  refunded_minor: refunded,
  disputed_minor: disputed,
}: OrderRow) => (paidAt === 0 ? 0 : Math.max(minor - refunded - disputed, 0))

/**
 * Refunds an order. The quota is clawed back before the provider is called: two simultaneous refunds cannot pay more than was paid, and a
 * crash in between leaves an order that is marked, not one that was refunded and kept its quota. What the provider refuses is given back.
 * While it is not known whether a refund was made, another of the same amount is the same one for any operator.
 * @throws AppError `order.none`, `order.unpaid`, `order.refund_amount`, `order.refund_under_way`, `order.refund_unsupported`,
 * `order.refund_refused`, `order.refund_uncertain`.
 */
export async function refundOrder(deps: Deps, refundRequest: RefundRequest): Promise<Applied> {
  const startedRefund = await begin(deps, refundRequest)
  const result = refundRequest.isPaidBack ? ({ kind: 'refunded' } as const) : await requestRefund(deps, startedRefund)
  const after = await end(deps, refundRequest, startedRefund, result)
  if (result.kind === 'refunded') return { outcome: 'applied', before: startedRefund.before, after }
  if (result.kind === 'refused') throw new AppError('order.refund_refused', { params: { reason: result.reason } })
  throw new AppError(result.kind === 'unsupported' ? 'order.refund_unsupported' : 'order.refund_uncertain')
}

/** What a refund whose response was lost is known by. */
interface Pursued {
  readonly number: string
  readonly minor: number
  readonly requestId: string
}

/**
 * Asks the provider again about a refund whose response was lost, under its first number. Resolves with what it said; null where there is no
 * such refund any more.
 */
export async function retryRefund(
  deps: Deps,
  { number, minor, requestId }: Pursued,
): Promise<RefundResult['kind'] | null> {
  const startedRefund = await deps.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, number)
    return order ? openOne(deps, transaction, order, minor) : null
  })
  if (!startedRefund) return null
  const result = await requestRefund(deps, startedRefund)
  await end(deps, { number, requestId, operatorId: 0, isPaidBack: false }, startedRefund, result)
  return result.kind
}

async function begin(deps: Deps, refundRequest: RefundRequest): Promise<StartedRefund> {
  const startedRefund = await deps.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, refundRequest.number)
    if (!order) throw new AppError('order.none')
    if (order.paid_at === 0) throw new AppError('order.unpaid')
    const left = refundableOf(order)
    const minor = refundRequest.amount === undefined ? left : minorOf(refundRequest.amount, order.currency)
    return (
      (await openOne(deps, transaction, order, minor)) ??
      (await beginOne(deps, transaction, order, refundRequest, minor))
    )
  })
  if (!startedRefund.isRepeated) await afterMovements(deps, refundRequest.requestId, startedRefund.movements)
  return startedRefund
}

/** Resolves with the refund of this amount whose response was lost; null: there is none. */
async function openOne(
  { clock }: Deps,
  transaction: Transaction,
  order: OrderRow,
  minor: number | null,
): Promise<StartedRefund | null> {
  if (order.problem !== 'refund') return null
  const refunds = await openRefunds(transaction, order, clock.seconds())
  const open = refunds.find((refund) => refund.minor === minor) ?? (minor === 0 ? refunds[0] : undefined)
  if (!open) return null
  if (open.isInProgress) throw new AppError('order.refund_under_way')
  const { count } = open
  const movements = [await movementOf(transaction, order, open)]
  return { before: order, after: order, minor: open.minor, movements, count, isRepeated: true }
}

async function beginOne(
  deps: Deps,
  transaction: Transaction,
  before: OrderRow,
  { operatorId, requestId }: RefundRequest,
  minor: number | null,
): Promise<StartedRefund> {
  const left = refundableOf(before)
  if (minor === null || minor < 1 || minor > left)
    throw new AppError('order.refund_amount', { params: { most: moneyText(left, before.currency) } })
  const facts = { ...before, refunded_minor: before.refunded_minor + minor, problem: 'refund' } as const
  const { after, movements } = await settle(deps, transaction, before, facts)
  await store(deps, transaction, before, after)
  const count = (await refundsOf(transaction, before.id)) + 1
  const startedRefund: StartedRefund = { before, after, minor, movements, count, isRepeated: false }
  await note(deps, transaction, startedRefund, 'asked', { operator: operatorId }, requestId)
  return startedRefund
}

async function refundsOf(transaction: Transaction, orderId: number): Promise<number> {
  const { count } = await transaction
    .selectFrom('order_events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('order_id', '=', orderId)
    .where('kind', '=', 'refund')
    .executeTakeFirstOrThrow()
  return count
}

async function requestRefund(deps: Deps, startedRefund: StartedRefund): Promise<RefundResult> {
  const result = await callProvider(deps, startedRefund)
  // It may have been able to before.
  return startedRefund.isRepeated && result.kind === 'unsupported' ? { kind: 'uncertain' } : result
}

async function callProvider(deps: Deps, { after, minor, count, isRepeated }: StartedRefund): Promise<RefundResult> {
  const provider = providerOf(after.provider)
  if (!provider || provider.merchant(deps.catalog.current.options) !== after.merchant) return { kind: 'unsupported' }
  try {
    return await provider.refund(after, { number: `${after.number}R${count}`, minor, isRepeated }, deps)
  } catch (error) {
    deps.log.warn({ err: error, order: after.number }, 'a refund may have gone through')
    return { kind: 'uncertain' }
  }
}

/** Records how the refund ended; what was not paid back is credited again. */
async function end(
  deps: Deps,
  { number, operatorId, requestId, isPaidBack }: RefundRequest,
  startedRefund: StartedRefund,
  result: RefundResult,
): Promise<OrderRow> {
  const isUndone = result.kind === 'refused' || result.kind === 'unsupported'
  const { after, movements } = await deps.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, number)
    if (!order) throw new AppError('order.none')
    const open = await openRefunds(transaction, order, deps.clock.seconds())
    // A report, an operator or a repeated request has settled it meanwhile.
    if (!open.some(({ count }) => count === startedRefund.count)) return { after: order, movements: [] }
    const others = open.filter(({ count }) => count !== startedRefund.count)
    const before = startedRefund.isRepeated ? (others.length > 0 ? 'refund' : '') : startedRefund.before.problem
    const problem = problemAfter(order.problem, before, result.kind)
    const refunded = isUndone ? withoutRefund(order, startedRefund.minor) : order.refunded_minor
    const settled = await settle(deps, transaction, order, { ...order, problem, refunded_minor: refunded })
    await store(deps, transaction, order, settled.after)
    // Not before the money is on its way.
    if (result.kind === 'refunded') await deps.notifyPayer(ofOrders(startedRefund.movements), transaction)
    const isReported = result.kind === 'uncertain' && isCovered(settled.after)
    const outcome = isPaidBack ? 'paid_back' : isReported ? 'refunded' : result.kind
    await note(deps, transaction, startedRefund, outcome, { operator: operatorId, answer: result }, requestId)
    return settled
  })
  await afterMovements(deps, requestId, movements)
  return after
}

/** The provider reported all that the order counts as refunded. */
const isCovered = ({
  refunded_minor: refunded,
  refund_reported_minor: reported,
  refund_failed_minor: failed,
}: OrderRow) => reported - failed >= refunded

/** Returns the order's mark after a refund that marked it. What was reported or found in the meantime counts. */
function problemAfter(
  now: OrderRow['problem'],
  before: OrderRow['problem'],
  result: RefundResult['kind'],
): OrderRow['problem'] {
  if (now !== 'refund' && now !== '') return now
  const isReported = now === ''
  if (!isReported && result === 'uncertain') return 'refund'
  return isReported && before === 'refund' ? '' : before
}

/** Records one event per refund, with its progress. */
async function note(
  { clock }: Deps,
  transaction: Transaction,
  { before, minor, movements, count }: StartedRefund,
  outcome: string,
  facts: object,
  requestId: string,
): Promise<void> {
  const quota = -ofOrders(movements).reduce((sum, { amount }) => sum + amount, 0)
  const payload = JSON.stringify({ minor, quota, ...facts })
  await keepEvent(transaction, {
    order: before,
    event: { id: refundEventId(before.number, count), kind: 'refund' },
    report: { provider: before.provider, source: 'operator', requestId, payload },
    outcome,
    now: clock.seconds(),
  })
}
