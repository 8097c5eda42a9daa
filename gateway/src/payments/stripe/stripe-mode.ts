import type { OptionValues } from '@tollgate/contract'

/**
 * Returns which of the two worlds of an account the key opens: an order of one is never settled by an event of the other. Empty: Stripe is
 * not set up. Without a secret for webhooks nothing could be believed, so there is no payment either.
 */
export function stripeMode({
  StripeApiSecret: key,
  StripeWebhookSecret: secret,
}: Pick<OptionValues, 'StripeApiSecret' | 'StripeWebhookSecret'>): '' | 'live' | 'test' {
  if (key === '' || secret === '') return ''
  return /^[sr]k_live_/.test(key) ? 'live' : 'test'
}

/** Returns the same for what Stripe says of an object. */
export const modeOf = ({ livemode }: { readonly livemode: boolean }): 'live' | 'test' => (livemode ? 'live' : 'test')
