import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { OrderRow } from '../../platform/store/tables'
import type { Applied, ApplyDeps } from './apply-event'
import { checkOrder } from './check-order'
import { beginPayment } from './create-order'
import type { PaymentDeps, PaymentStart } from './provider'
import { providerOf } from './providers'

type Deps = ApplyDeps & PaymentDeps

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
  deps: Deps,
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
