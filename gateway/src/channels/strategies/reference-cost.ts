import type { PriceClass } from '@tollgate/models'

import { standardMode } from '../../billing/pricing/variant'
import type { Price } from '../../billing/pricing/price'
import type { Prices } from '../../billing/pricing/prices'
import type { Candidate } from '../catalog/catalog'

/** Short enough for the first tier of every price. */
const inputTokens = 3000

/**
 * A call by which channels are compared: three tokens in for each that comes out, and of everything else as much as an ordinary call has. Most
 * models are priced by one or two of these classes, and all channels of a model by the same ones.
 */
const reference: readonly (readonly [PriceClass, number])[] = [
  ['input', inputTokens],
  ['output', 1000],
  ['per_call', 1],
  ['per_image', 1],
  ['per_second', 1],
  ['per_character', 1000],
]

/**
 * Returns what the reference call costs at a channel, in quota. Where its cost is not known it counts as the sale price, before any group's
 * ratio; what runs on the operator's own machine costs nothing unless the operator says so. Null where no price is known.
 */
export function referenceCost({ channel, model }: Candidate, prices: Prices, unixMs: number): number | null {
  const upstreamModel = channel.modelMapping.get(model) ?? model
  const cost = prices.costOf(channel.id, model, upstreamModel)
  if (channel.provider.isFree === true && cost?.kind !== 'own') return 0
  const price = cost?.price ?? prices.priceOf(model, { group: '', userGroup: '', upstreamModel })
  return price && costOf(price, unixMs)
}

function costOf(price: Price, unixMs: number): number {
  const { schedule } = price.pin({ unixMs })
  const { weights } = price.variantFor({ inputTokens, served: standardMode, schedule })
  let sum = 0
  for (const [name, amount] of reference) sum += Number(weights.exact[name]) * amount
  return sum / weights.plainScale
}
