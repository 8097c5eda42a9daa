import { AppError } from '../app-error'
import type { Price } from '../metering/price'
import type { Choice } from '../routing/plan'
import type { Scene } from './scene'

/**
 * Returns the price of the channel that serves: channels may give one name to models of different price.
 * @throws AppError `model.unpriced`; such channels are not asked.
 */
export function servingPrice({ quote, model }: Pick<Scene, 'quote' | 'model'>, { channel }: Choice): Price {
  const price = quote.offers.priceAt(channel)
  if (price === null) throw new AppError('model.unpriced', { params: { model } })
  return price
}
