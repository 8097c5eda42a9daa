import { startStripe, webhookHeaders, type StripeWebhook } from '@tollgate/simulator'

import type { DatabaseKind } from '../src/platform/store/database'
import { aPaymentSite } from './payment-site'

/** A site where users pay through Epay and Stripe, with a stand-in for Stripe whose clock is the site's. */
export async function aStripeSite(kind: DatabaseKind) {
  let now = () => 0
  const stripe = startStripe({ now: () => now() })
  const site = await aPaymentSite(
    kind,
    { StripeApiSecret: stripe.apiSecret, StripeWebhookSecret: stripe.webhookSecret },
    { STRIPE_URL: stripe.url },
  )
  now = site.now
  return {
    ...site,
    stripe,
    /** Sends an event as Stripe does and resolves with the status. */
    report: async ({ body, signature }: Pick<StripeWebhook, 'body' | 'signature'>): Promise<number> => {
      const response = await site.site.send('POST', '/api/stripe/webhook', { body, headers: webhookHeaders(signature) })
      return response.status
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      await stripe.stop()
    },
  }
}
export type StripeSite = Awaited<ReturnType<typeof aStripeSite>>

/** Begins a top-up through Stripe and resolves with its number and the id of its page. */
export async function aStripeOrder(
  { stripe }: StripeSite,
  user: Awaited<ReturnType<StripeSite['aUser']>>,
  amount = 10,
) {
  const { number } = await user.pay(amount, 'stripe')
  return { number, page: stripe.pageOf(number).id }
}
