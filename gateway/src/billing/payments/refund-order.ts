import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { OrderRow } from '../../platform/store/tables'
import { keepEvent, lockedOrder, movementOf, settle, store, type Applied, type ApplyDeps } from './apply-event'
import { afterMovements } from './after-movements'
import type { Movement } from './movement'
import { minorOf, moneyText } from './currency'
import { openRefunds, refundEventId } from './open-refunds'
import { withoutRefund } from './order-facts'
import type { PaymentDeps, RefundAnswer } from './provider'
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
interface Begun {
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
  const begun = await begin(deps, refundRequest)
  const answer = refundRequest.isPaidBack ? ({ kind: 'refunded' } as const) : await askProvider(deps, begun)
  const after = await end(deps, refundRequest, begun, answer)
  if (answer.kind === 'refunded') return { outcome: 'applied', before: begun.before, after }
  if (answer.kind === 'refused') throw new AppError('order.refund_refused', { params: { reason: answer.reason } })
  throw new AppError(answer.kind === 'unsupported' ? 'order.refund_unsupported' : 'order.refund_uncertain')
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
export async function pursueRefund(
  deps: Deps,
  { number, minor, requestId }: Pursued,
): Promise<RefundAnswer['kind'] | null> {
  const begun = await deps.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, number)
    return order ? openOne(deps, transaction, order, minor) : null
  })
  if (!begun) return null
  const answer = await askProvider(deps, begun)
  await end(deps, { number, requestId, operatorId: 0, isPaidBack: false }, begun, answer)
  return answer.kind
}

async function begin(deps: Deps, refundRequest: RefundRequest): Promise<Begun> {
  const begun = await deps.database.query.transaction().execute(async (transaction) => {
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
  if (!begun.isRepeated) await afterMovements(deps, refundRequest.requestId, begun.movements)
  return begun
}

/** Resolves with the refund of this amount whose response was lost; null: there is none. */
async function openOne(
  { clock }: Deps,
  transaction: Transaction,
  order: OrderRow,
  minor: number | null,
): Promise<Begun | null> {
  if (order.problem !== 'refund') return null
  const refunds = await openRefunds(transaction, order, clock.seconds())
  const open = refunds.find((refund) => refund.minor === minor) ?? (minor === 0 ? refunds[0] : undefined)
  if (!open) return null
  if (open.isUnderWay) throw new AppError('order.refund_under_way')
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
): Promise<Begun> {
  const left = refundableOf(before)
  if (minor === null || minor < 1 || minor > left)
    throw new AppError('order.refund_amount', { params: { most: moneyText(left, before.currency) } })
  const facts = { ...before, refunded_minor: before.refunded_minor + minor, problem: 'refund' } as const
  const { after, movements } = await settle(deps, transaction, before, facts)
  await store(deps, transaction, before, after)
  const count = (await refundsOf(transaction, before.id)) + 1
  const begun: Begun = { before, after, minor, movements, count, isRepeated: false }
  await note(deps, transaction, begun, 'asked', { operator: operatorId }, requestId)
  return begun
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

async function askProvider(deps: Deps, begun: Begun): Promise<RefundAnswer> {
  const answer = await answerOf(deps, begun)
  // It may have been able to before.
  return begun.isRepeated && answer.kind === 'unsupported' ? { kind: 'uncertain' } : answer
}

async function answerOf(deps: Deps, { after, minor, count, isRepeated }: Begun): Promise<RefundAnswer> {
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
  begun: Begun,
  answer: RefundAnswer,
): Promise<OrderRow> {
  const isUndone = answer.kind === 'refused' || answer.kind === 'unsupported'
  const { after, movements } = await deps.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, number)
    if (!order) throw new AppError('order.none')
    const open = await openRefunds(transaction, order, deps.clock.seconds())
    // A report, an operator or a repeated request has settled it meanwhile.
    if (!open.some(({ count }) => count === begun.count)) return { after: order, movements: [] }
    const others = open.filter(({ count }) => count !== begun.count)
    const before = begun.isRepeated ? (others.length > 0 ? 'refund' : '') : begun.before.problem
    const problem = problemAfter(order.problem, before, answer.kind)
    const refunded = isUndone ? withoutRefund(order, begun.minor) : order.refunded_minor
    const settled = await settle(deps, transaction, order, { ...order, problem, refunded_minor: refunded })
    await store(deps, transaction, order, settled.after)
    // Not before the money is on its way.
    if (answer.kind === 'refunded') await deps.notifyPayer(begun.movements, transaction)
    const isReported = answer.kind === 'uncertain' && isCovered(settled.after)
    const outcome = isPaidBack ? 'paid_back' : isReported ? 'refunded' : answer.kind
    await note(deps, transaction, begun, outcome, { operator: operatorId, answer }, requestId)
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
  answer: RefundAnswer['kind'],
): OrderRow['problem'] {
  if (now !== 'refund' && now !== '') return now
  const isReported = now === ''
  if (!isReported && answer === 'uncertain') return 'refund'
  return isReported && before === 'refund' ? '' : before
}

/** Records one event per refund, with its progress. */
async function note(
  { clock }: Deps,
  transaction: Transaction,
  { before, minor, movements, count }: Begun,
  outcome: string,
  facts: object,
  requestId: string,
): Promise<void> {
  const quota = -movements.reduce((sum, { amount }) => sum + amount, 0)
  const payload = JSON.stringify({ minor, quota, ...facts })
  await keepEvent(transaction, {
    order: before,
    event: { id: refundEventId(before.number, count), kind: 'refund' },
    report: { provider: before.provider, source: 'operator', requestId, payload },
    outcome,
    now: clock.seconds(),
  })
}
