import type { paymentRoutes } from '@tollgate/contract'

import type { OrderRow } from '../../platform/store/tables'
import { applyEvent, type Applied, type ApplyDeps } from './apply-event'
import type { PaymentEvent, PaymentDeps } from './provider'
import { providerOf } from './providers'

type Deps = ApplyDeps & PaymentDeps

type CheckOutcome = paymentRoutes.CheckOutcome

export interface Checked {
  readonly outcome: CheckOutcome
  /** Set where the provider's answer was applied. */
  readonly applied?: Applied
  /** The payer is done, and the money may take days. */
  readonly isInProgress?: boolean
}

/** Queries the provider about an order, and settles its answer as if it had been reported. */
export async function checkOrder(deps: Deps, order: OrderRow, requestId: string): Promise<Checked> {
  if (order.paid_at > 0) return { outcome: 'paid' }
  const provider = providerOf(order.provider)
  if (!provider || provider.merchant(deps.catalog.current.options) !== order.merchant) return { outcome: 'unsupported' }
  const result = await provider.queryOrder(order, deps)
  if (result.kind !== 'event') return { outcome: result.kind }
  // Whatever the answer names, it belongs to a query about this order.
  const event = { ...result.event, orderNumber: order.number }
  const report = { provider: provider.id, source: 'answer', requestId, payload: result.payload } as const
  const applied = await applyEvent(deps, event, report)
  const outcome = outcomeOf(applied, event)
  return { outcome, applied, isInProgress: outcome === 'pending' }
}

function outcomeOf({ outcome, after }: Applied, { kind }: PaymentEvent): CheckOutcome {
  if (outcome !== 'applied' && outcome !== 'repeated') return 'refused'
  if ((after?.paid_at ?? 0) > 0) return 'paid'
  return kind === 'under-way' ? 'pending' : 'failed'
}
