import type { OrderRow } from '../../../platform/store/tables'
import type { PaymentDeps, PaymentStart } from '../provider'
import { createSession, readSession } from './stripe-api'

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
