import type { PricedModel } from './priced-models'

/** Returns the least and the largest input price; undefined where nothing is charged. */
export function rangeOfPrices(models: readonly PricedModel[]): { least: number; most: number } | undefined {
  const prices = models.map(({ input }) => input).filter((price) => price > 0)
  return prices.length === 0 ? undefined : { least: Math.min(...prices), most: Math.max(...prices) }
}
