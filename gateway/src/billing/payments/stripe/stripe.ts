import { hourSeconds } from '@tollgate/contract'

import type { PaymentProvider } from '../provider'
import { stripeMode } from './stripe-mode'

/** Until then a page can be paid; Stripe requires at least half an hour. */
const lifetimeSeconds = hourSeconds

/** Stripe Checkout: payment pages hosted by Stripe. The code that uses its API is loaded with the first payment. */
export const stripe: PaymentProvider = {
  id: 'stripe',
  merchant: stripeMode,
  mustConfirm: false,
  lifetimeSeconds,
  methods(options) {
    if (stripeMode(options) === '') return []
    const { StripeCurrency: currency, StripeUnitPrice: price, StripeMinTopUp: minTopUp } = options
    return [{ name: 'Stripe', type: 'stripe', color: '#635bff', icon: '', min_topup: minTopUp, currency, price }]
  },
  begin: async (order, deps) => (await import('./checkout-page')).openPage(order, deps),
  readCallback: async (request, deps) => (await import('./read-webhook')).readWebhook(request, deps),
  queryOrder: async (order, deps) => (await import('./checkout-page')).queryPage(order, deps),
  refund: async (order, refund, deps) => (await import('./refund-payment')).refundPayment(order, refund, deps),
}
