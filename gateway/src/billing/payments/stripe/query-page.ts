import type { OrderRow } from '../../../platform/store/tables'
import type { PaymentDeps, OrderQueryResult } from '../provider'
import { pageEvent } from './page-event'
import { readSession, StripeError } from './stripe-api'

/** Resolves with the state of an order's page at Stripe. An order without one never had a page that could be paid. */
export async function queryPage(order: OrderRow, deps: PaymentDeps): Promise<OrderQueryResult> {
  if (order.provider_number === '') return { kind: 'pending' }
  try {
    const session = await readSession(deps, order.provider_number)
    const found = pageEvent(session, session.id)
    if (!found) return { kind: 'pending' }
    const { status, payment_status, amount_total, currency } = session
    return {
      kind: 'event',
      event: { ...found, id: `${session.id}:${found.kind}` },
      payload: JSON.stringify({ id: session.id, status, payment_status, amount_total, currency }),
    }
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    deps.log.warn({ err: error, order: order.number }, 'Stripe could not be queried about an order')
    return { kind: 'unreachable' }
  }
}
