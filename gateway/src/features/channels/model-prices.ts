import type { channelPriceRoutes } from '@tollgate/contract'

import type { OptionValues } from '../../catalog/catalog'
import { parseModelMapping } from '../../catalog/mappings'
import type { Ratios } from '../../metering/price'
import { priceTableOf } from '../../metering/price-table'
import { checkModelMapping } from './channel-rules'

/**
 * The price in force of each model: what the operator set, else what is built in.
 * @throws AppError `channel.model_mapping`, `channel.model_mapping_cycle`.
 */
export function modelPrices(
  options: OptionValues,
  models: readonly string[],
  mappingText: string | null = null,
): channelPriceRoutes.ModelPrice[] {
  const mapping = parseModelMapping(checkModelMapping(mappingText ?? ''))
  const table = priceTableOf(options)
  return models.map((model) => {
    const price = table.modelPriceOf(model, mapping.get(model))
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
