import { paymentRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { OrderRow, PlanRow } from '../../platform/store/tables'
import { priceOf, quotaOf, unitsOf } from './price'
import type { PaymentDeps, PaymentProvider, PaymentStart } from './provider'
import { methodsOf, providerOf } from './providers'
import type { Applied, ApplyDeps } from './apply-event'
import { checkOrder } from './check-order'
import { quoteBonus } from './top-up-bonus'

type CreateDeps = PaymentDeps & Pick<Context, 'random'>

interface Payer {
  readonly userId: number
  readonly group: string
}

interface OrderRequest {
  readonly amount: number
  /** What the order buys instead of quota in the wallet. */
  readonly plan?: Pick<PlanRow, 'id' | 'price'>
  /** Undefined: the first configured one. */
  readonly method?: string
}

/** A user who opens payments and leaves them must not fill the table. */
const maxPending = 50
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
/** From then on the provider is queried automatically, unless it reported before. */
export const firstQuerySeconds = 120

/** Returns what an amount costs a payer by a method. @throws AppError `pay.unset`, `pay.method`, `pay.min`, `pay.low`, `pay.high`. */
export function quote(
  { catalog }: Pick<CreateDeps, 'catalog'>,
  { group }: Payer,
  { amount: requestedAmount, plan, method: requestedMethod }: OrderRequest,
) {
  const { options } = catalog.current
  const methods = methodsOf(options)
  if (methods.length === 0) throw new AppError('pay.unset')
  const method =
    requestedMethod === undefined ? methods[0] : methods.find(({ type }) => isMethod(type, requestedMethod))
  if (!method) throw new AppError('pay.method')
  const amount = plan ? unitsOf(plan.price, options) : requestedAmount
  const quota = plan ? plan.price : quotaOf(amount, options)
  if (quota > paymentRoutes.maxTopUpQuota)
    throw new AppError('pay.high', { params: { most: Math.floor((amount / quota) * paymentRoutes.maxTopUpQuota) } })
  if (!plan && amount < method.min_topup) throw new AppError('pay.min', { params: { least: method.min_topup } })
  const minor = priceOf(amount, method, options, group)
  if (minor < 1 || quota < 1) throw new AppError('pay.low')
  if (!Number.isSafeInteger(minor)) throw new AppError('pay.high', { params: { most: '' } })
  return { method, quota, minor }
}

const otherNames: Readonly<Record<string, string>> = { zfb: 'alipay', wx: 'wxpay', alipay: 'zfb', wxpay: 'wx' }
const isMethod = (type: string, requestedMethod: string) =>
  type === requestedMethod || otherNames[type] === requestedMethod

/**
 * Creates an order and begins its payment. The order exists before the provider learns of it, so a report always finds it.
 * @throws AppError the codes of `quote`, `pay.many`, `pay.order`, `pay.failed`.
 */
export async function createOrder(
  deps: CreateDeps,
  payer: Payer,
  orderRequest: OrderRequest,
): Promise<{ order: OrderRow; start: PaymentStart }> {
  const { method, quota, minor } = quote(deps, payer, orderRequest)
  const provider = providerOf(method.provider)
  if (!provider) throw new AppError('pay.unset')
  await limitPending(deps, payer.userId)
  const bonus = orderRequest.plan ? {} : await quoteBonus(deps, payer.userId, { amount: orderRequest.amount, quota })
  const now = deps.clock.seconds()
  const order = await deps.database.query
    .insertInto('orders')
    .values({
      number: orderNumber(payer.userId, now, deps.random),
      user_id: payer.userId,
      provider: provider.id,
      merchant: provider.merchant(deps.catalog.current.options),
      method: method.type,
      amount: orderRequest.plan ? Math.round(unitsOf(quota, deps.catalog.current.options)) : orderRequest.amount,
      plan_id: orderRequest.plan?.id ?? 0,
      minor,
      currency: method.currency,
      quota,
      ...bonus,
      status: 'pending',
      created_at: now,
      expires_at: now + provider.lifetimeSeconds,
      ask_at: now + firstQuerySeconds,
    })
    .returningAll()
    .executeTakeFirst()
  if (!order) throw new AppError('pay.order')
  return { order, start: await beginPayment(deps, provider, order) }
}

/** @throws AppError `pay.failed`. */
async function beginPayment(deps: PaymentDeps, provider: PaymentProvider, order: OrderRow): Promise<PaymentStart> {
  try {
    const start = await provider.begin(order, deps)
    if (start.providerNumber !== undefined && order.provider_number === '')
      await deps.database.query
        .updateTable('orders')
        .set({ provider_number: start.providerNumber })
        .where('id', '=', order.id)
        .where('provider_number', '=', '')
        .execute()
    return start
  } catch (error) {
    deps.log.warn({ err: error, provider: provider.id, order: order.number }, 'a payment could not be started')
    throw new AppError('pay.failed', { cause: error })
  }
}

async function limitPending({ database, clock }: CreateDeps, userId: number): Promise<void> {
  const { pending } = await database.query
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('user_id', '=', userId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', clock.seconds())
    .executeTakeFirstOrThrow()
  if (pending >= maxPending) throw new AppError('pay.many')
}

function orderNumber(userId: number, now: number, random: Context['random']): string {
  const drawn = Array.from(random.bytes(6), (byte) => letters[byte % letters.length] ?? '')
  return `USR${userId}NO${drawn.join('')}${now}`
}

type ContinueDeps = ApplyDeps & PaymentDeps

interface ContinueRequest {
  readonly number: string
  readonly userId: number
  readonly requestId: string
  /** Called with what the provider reported about the order, where that changed it. */
  readonly onChange: (applied: Applied) => void
}

/**
 * Resolves with where the payer goes to pay a pending order. A provider that has a page for it is first queried about that page: the payer
 * may have paid meanwhile, or the payment failed.
 * @throws AppError `order.none` for one of another user, `order.paid`, `order.under_way`, `order.failed`, `order.closed`, `pay.failed`.
 */
export async function continueOrder(
  deps: ContinueDeps,
  { number, userId, requestId, onChange }: ContinueRequest,
): Promise<PaymentStart> {
  const order = await deps.database.query
    .selectFrom('orders')
    .selectAll()
    .where('number', '=', number)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!order) throw new AppError('order.none')
  requireWaiting(order, deps)
  if (order.provider_number !== '') {
    const { outcome, applied } = await checkOrder(deps, order, requestId)
    if (applied && applied.outcome !== 'repeated') onChange(applied)
    if (outcome === 'unreachable') throw new AppError('pay.failed')
    requireWaiting(applied?.after ?? order, deps)
  }
  const provider = providerOf(order.provider)
  if (!provider) throw new AppError('order.closed')
  return beginPayment(deps, provider, order)
}

/** It is pending, nothing was paid that an operator has to look at, and the money would reach the account that it was created for. */
export function canContinue(
  { status, problem, expires_at: expiresAt, under_way_at: inProgressAt, provider, merchant }: OrderRow,
  { catalog, clock }: Pick<Context, 'catalog' | 'clock'>,
): boolean {
  if (status !== 'pending' || problem !== '' || inProgressAt > 0 || expiresAt * 1000 <= clock.now()) return false
  return merchant !== '' && providerOf(provider)?.merchant(catalog.current.options) === merchant
}

function requireWaiting(order: OrderRow, deps: Pick<Context, 'catalog' | 'clock'>): void {
  if (canContinue(order, deps)) return
  if (order.paid_at > 0) throw new AppError('order.paid')
  if (order.status === 'failed') throw new AppError('order.failed')
  const isInProgress = order.status === 'pending' && (order.under_way_at > 0 || order.problem !== '')
  throw new AppError(isInProgress ? 'order.under_way' : 'order.closed')
}
