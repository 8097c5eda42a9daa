import { applyEvent, differenceOf, type Applied, type ApplyDeps } from './apply-event'
import { checkOrder } from './check-order'
import type { CallbackRequest, PaymentEvent, PaymentDeps, PaymentProvider } from './provider'

type Deps = ApplyDeps & PaymentDeps

/** `isAccepted`: the provider need not send it again. */
export interface Received {
  readonly isAccepted: boolean
  readonly reason: string
  readonly applied?: Applied
}

/**
 * Settles a callback: it is verified, then the provider is queried about the order where it can be, and then it is compared and applied.
 * Resolves after the commit.
 */
export async function receiveCallback(
  deps: Deps,
  provider: PaymentProvider,
  request: CallbackRequest,
  requestId: string,
): Promise<Received> {
  const reading = await provider.readCallback(request, deps)
  if (reading.kind !== 'event') {
    if (reading.kind !== 'ignored')
      deps.log.warn({ provider: provider.id, reason: reading.reason }, 'a payment callback was refused')
    return { isAccepted: reading.kind === 'ignored', reason: reading.reason }
  }
  const { event, payload, isQueryResult = false } = reading
  const settledByQuery =
    event.kind === 'paid' && !isQueryResult ? await confirm(deps, provider, event, requestId) : null
  if (settledByQuery) return settledByQuery
  const report = { provider: provider.id, source: 'callback', requestId, payload } as const
  return acknowledge(await applyEvent(deps, event, report))
}

const acknowledge = (applied: Applied): Received => ({
  isAccepted: applied.outcome === 'applied' || applied.outcome === 'repeated',
  reason: applied.outcome,
  applied,
})

/**
 * Queries the provider whether the order that it reports as paid is paid, and settles the answer. Resolves with null where the report
 * itself is to be applied: it differs from the order, has no news, or the provider cannot be queried and its signature is enough.
 */
async function confirm(
  deps: Deps,
  provider: PaymentProvider,
  event: PaymentEvent,
  requestId: string,
): Promise<Received | null> {
  const order = await deps.database.query
    .selectFrom('orders')
    .selectAll()
    .where('number', '=', event.orderNumber)
    .executeTakeFirst()
  if (!order || order.paid_at > 0 || differenceOf(order, event, provider.id)) return null
  const { outcome, applied } = await checkOrder(deps, order, requestId)
  if (applied) return acknowledge(applied)
  // Paid meanwhile.
  if (outcome === 'paid') return null
  if (!provider.mustConfirm && (outcome === 'unsupported' || outcome === 'unreachable')) return null
  deps.log.warn({ provider: provider.id, order: order.number, outcome }, 'a payment was not confirmed')
  return { isAccepted: false, reason: `not confirmed: ${outcome}` }
}
