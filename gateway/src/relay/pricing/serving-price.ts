import { AppError } from '../../platform/app-error'
import type { PinnedPrice } from '../../billing/metering/price-book/charge'
import type { ChannelCost } from '../../billing/metering/price-book/prices'
import type { Choice } from '../../channels/choice'
import { pinPrice, type CallPrice } from './pin-price'
import type { Prepared } from '../../channels/calls/prepare'
import type { CallContext } from '../call-context'

/**
 * Returns the price of the channel that serves, as it was when the call began: channels may give one name to models of different prices.
 * @throws AppError `model.unpriced`; such channels are not tried.
 */
export function servingPrice(context: CallContext, { channel }: Choice, prepared: Prepared): PinnedPrice {
  const { quote } = context
  const price = quote.offers.priceAt(channel)
  if (price === null) throw new AppError('model.unpriced', { params: { model: quote.model } })
  return pinPrice(price, callPrice(context, prepared))
}

/** What the channel's vendor charges, pinned in the same way. */
export interface ServingCost {
  readonly pinned: PinnedPrice
  readonly kind: ChannelCost['kind']
}

/** Returns what the channel that serves charges; null when that is not known. */
export function servingCost(context: CallContext, { channel }: Choice, prepared: Prepared): ServingCost | null {
  const cost = context.quote.offers.costAt(channel)
  return cost && { pinned: pinPrice(cost.price, callPrice(context, prepared)), kind: cost.kind }
}

const callPrice = ({ quote, view }: CallContext, prepared: Prepared): CallPrice => ({
  view,
  unixMs: quote.unixMs,
  tier: quote.tier === null ? null : prepared.tier,
  dialect: prepared.description.dialect,
  upstreamModel: prepared.upstreamModel,
})
