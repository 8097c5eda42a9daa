import type { OptionValues } from '@tollgate/contract'

/**
 * Returns the mode that the key belongs to: an order of one mode is never settled by an event of the other. Empty: Stripe is not
 * configured. Without a webhook secret no event could be trusted, so there is no payment either.
 */
export function stripeMode({
  StripeApiSecret: key,
  StripeWebhookSecret: secret,
}: Pick<OptionValues, 'StripeApiSecret' | 'StripeWebhookSecret'>): '' | 'live' | 'test' {
  if (key === '' || secret === '') return ''
  return /^[sr]k_live_/.test(key) ? 'live' : 'test'
}

/** Returns the mode of a Stripe object. */
export const modeOf = ({ livemode }: { readonly livemode: boolean }): 'live' | 'test' => (livemode ? 'live' : 'test')
