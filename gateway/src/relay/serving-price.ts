import { dialects, type UsageDetails } from '@tollgate/dialects'

import { AppError } from '../app-error'
import type { Price } from '../metering/price'
import { atTier, servedRatio, tierRatio } from '../metering/service-tier'
import type { Choice } from '../routing/plan'
import type { Prepared } from './prepare'
import type { Scene } from './scene'

/**
 * Returns the price of the channel that serves: channels may give one name to models of different price. Of the service tiers
 * that one decides which the answer names, so far as it does.
 * @throws AppError `model.unpriced`; such channels are not asked.
 */
export function servingPrice(scene: Scene, { channel }: Choice, prepared: Prepared, details?: UsageDetails): Price {
  const { quote, model, call } = scene
  const price = quote.offers.priceAt(channel)
  if (price === null) throw new AppError('model.unpriced', { params: { model } })
  const { tier } = quote
  const place = dialects[prepared.description.dialect].tier?.told
  if (tier === null || prepared.tier === null || place === undefined) return price
  const { ServiceTierRatio } = call.catalog.options
  const ratioOf = (name: string) => tierRatio(ServiceTierRatio, name, [channel.modelMapping.get(model) ?? model, model])
  return atTier(price, servedRatio({ tier, ratio: ratioOf(tier) ?? 1 }, details?.[place], ratioOf))
}
