import type { OrderRow } from '../../../platform/store/tables'
import type { OrderQueryResult, PaymentDeps, PaymentStart } from '../provider'
import { createSession, readSession, StripeError } from './stripe-api'
import { pageEvent } from './payment-events'

/** Stripe requires at least half an hour, by its own clock. */
const minSeconds = 31 * 60

/**
 * Resolves with the payment page of an order. An order that has one already keeps it.
 * @throws StripeError; Error for a page that cannot be paid any more.
 */
export async function openPage(order: OrderRow, deps: PaymentDeps): Promise<PaymentStart> {
  const { id, status, url } = await (order.provider_number === ''
    ? newPage(order, deps)
    : readSession(deps, order.provider_number))
  if (status !== 'open' || !url) throw new Error(`The payment page is ${status}`)
  return { url, fields: {}, providerNumber: id }
}

async function newPage(order: OrderRow, deps: PaymentDeps) {
  const { ServerAddress: address, SystemName: site } = deps.catalog.current.options
  const payer = await deps.database.query
    .selectFrom('users')
    .select('email')
    .where('id', '=', order.user_id)
    .executeTakeFirst()
  return createSession(deps, {
    order: order.number,
    minorUnits: order.minor,
    currency: order.currency,
    name: `${site} ${order.number}`,
    email: payer?.email ?? null,
    expiresAt: Math.max(order.expires_at, deps.clock.seconds() + minSeconds),
    successUrl: `${address}/app/wallet/topup-success?trade_no=${order.number}`,
    cancelUrl: `${address}/app/wallet`,
  })
}

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
