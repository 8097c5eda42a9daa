import type { channelPriceRoutes } from '@tollgate/contract'

import type { Catalog } from '../../channels/catalog/catalog'
import { parseModelMapping } from '../../channels/catalog/channel-texts'
import { wirePrice, type Ratios } from '../../billing/pricing/price-view'
import { checkModelMapping } from './channel-fields'

/**
 * Returns the price in force of each model: the operator's, otherwise the built-in one.
 * @throws AppError `channel.model_mapping`, `channel.model_mapping_cycle`.
 */
export function modelPrices(
  catalog: Catalog,
  models: readonly string[],
  mappingText: string | null = null,
): channelPriceRoutes.ModelPrice[] {
  const mapping = parseModelMapping(checkModelMapping(mappingText ?? ''))
  const prices = catalog.prices
  return models.map((model) => {
    const entry = prices.entryOf(model, mapping.get(model))
    const price = entry && wirePrice(entry)
    const isByToken = price?.kind === 'per-token'
    return {
      model,
      kind: price?.kind ?? 'unpriced',
      model_ratio: isByToken ? price.ratios.model : 0,
      completion_ratio: isByToken ? price.ratios.completion : 0,
      model_price: price?.kind === 'per-call' ? price.usd : 0,
      parts: isByToken ? partsOf(price.ratios) : null,
    }
  })
}

const partsOf = ({ cacheRead, cacheWrite, image, audio, audioCompletion }: Ratios) => ({
  cache_read: cacheRead,
  cache_write: cacheWrite,
  image,
  audio_input: audio,
  audio_output: audioCompletion,
})
