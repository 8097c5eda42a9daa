import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { OrderRow } from '../../platform/store/tables'
import { keepEvent, lockedOrder, movementOf, settle, store, type Applied, type ApplyParts } from './apply-event'
import { afterMovements } from './after-movements'
import type { Movement } from './movement'
import { minorOf, moneyText } from './currency'
import { openRefunds, refundEventId } from './open-refunds'
import { withoutRefund } from './order-facts'
import type { PaymentParts, RefundAnswer } from './provider'
import { providerOf } from './providers'

type Parts = ApplyParts & PaymentParts & Pick<Context, 'database'>

interface Wanted {
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
export async function refundOrder(parts: Parts, wanted: Wanted): Promise<Applied> {
  const begun = await begin(parts, wanted)
  const answer = wanted.isPaidBack ? ({ kind: 'refunded' } as const) : await askProvider(parts, begun)
  const after = await end(parts, wanted, begun, answer)
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
  parts: Parts,
  { number, minor, requestId }: Pursued,
): Promise<RefundAnswer['kind'] | null> {
  const begun = await parts.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, number)
    return order ? openOne(parts, transaction, order, minor) : null
  })
  if (!begun) return null
  const answer = await askProvider(parts, begun)
  await end(parts, { number, requestId, operatorId: 0, isPaidBack: false }, begun, answer)
  return answer.kind
}

async function begin(parts: Parts, wanted: Wanted): Promise<Begun> {
  const begun = await parts.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, wanted.number)
    if (!order) throw new AppError('order.none')
    if (order.paid_at === 0) throw new AppError('order.unpaid')
    const left = refundableOf(order)
    const minor = wanted.amount === undefined ? left : minorOf(wanted.amount, order.currency)
    return (
      (await openOne(parts, transaction, order, minor)) ?? (await beginOne(parts, transaction, order, wanted, minor))
    )
  })
  if (!begun.isRepeated) await afterMovements(parts, wanted.requestId, begun.movements)
  return begun
}

/** Resolves with the refund of this amount whose response was lost; null: there is none. */
async function openOne(
  { clock }: Parts,
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
  parts: Parts,
  transaction: Transaction,
  before: OrderRow,
  { operatorId, requestId }: Wanted,
  minor: number | null,
): Promise<Begun> {
  const left = refundableOf(before)
  if (minor === null || minor < 1 || minor > left)
    throw new AppError('order.refund_amount', { params: { most: moneyText(left, before.currency) } })
  const facts = { ...before, refunded_minor: before.refunded_minor + minor, problem: 'refund' } as const
  const { after, movements } = await settle(parts, transaction, before, facts)
  await store(parts, transaction, before, after)
  const count = (await refundsOf(transaction, before.id)) + 1
  const begun: Begun = { before, after, minor, movements, count, isRepeated: false }
  await note(parts, transaction, begun, 'asked', { operator: operatorId }, requestId)
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

async function askProvider(parts: Parts, begun: Begun): Promise<RefundAnswer> {
  const answer = await answerOf(parts, begun)
  // It may have been able to before.
  return begun.isRepeated && answer.kind === 'unsupported' ? { kind: 'uncertain' } : answer
}

async function answerOf(parts: Parts, { after, minor, count, isRepeated }: Begun): Promise<RefundAnswer> {
  const provider = providerOf(after.provider)
  if (!provider || provider.merchant(parts.catalog.current.options) !== after.merchant) return { kind: 'unsupported' }
  try {
    return await provider.refund(after, { number: `${after.number}R${count}`, minor, isRepeated }, parts)
  } catch (error) {
    parts.log.warn({ err: error, order: after.number }, 'a refund may have gone through')
    return { kind: 'uncertain' }
  }
}

/** Records how the refund ended; what was not paid back is credited again. */
async function end(
  parts: Parts,
  { number, operatorId, requestId, isPaidBack }: Wanted,
  begun: Begun,
  answer: RefundAnswer,
): Promise<OrderRow> {
  const isUndone = answer.kind === 'refused' || answer.kind === 'unsupported'
  const { after, movements } = await parts.database.query.transaction().execute(async (transaction) => {
    const order = await lockedOrder(transaction, number)
    if (!order) throw new AppError('order.none')
    const open = await openRefunds(transaction, order, parts.clock.seconds())
    // A report, an operator or a repeated request has settled it meanwhile.
    if (!open.some(({ count }) => count === begun.count)) return { after: order, movements: [] }
    const others = open.filter(({ count }) => count !== begun.count)
    const before = begun.isRepeated ? (others.length > 0 ? 'refund' : '') : begun.before.problem
    const problem = problemAfter(order.problem, before, answer.kind)
    const refunded = isUndone ? withoutRefund(order, begun.minor) : order.refunded_minor
    const settled = await settle(parts, transaction, order, { ...order, problem, refunded_minor: refunded })
    await store(parts, transaction, order, settled.after)
    // Not before the money is on its way.
    if (answer.kind === 'refunded') await parts.notifyPayer(begun.movements, transaction)
    const isReported = answer.kind === 'uncertain' && isCovered(settled.after)
    const outcome = isPaidBack ? 'paid_back' : isReported ? 'refunded' : answer.kind
    await note(parts, transaction, begun, outcome, { operator: operatorId, answer }, requestId)
    return settled
  })
  await afterMovements(parts, requestId, movements)
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
  { clock }: Parts,
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
