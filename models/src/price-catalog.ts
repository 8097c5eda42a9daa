import { modelKeys } from './model-names'
import { namedLines, remembering } from './named-lines'
import { priceText } from './price-catalog.gen'
import type { PriceEntry } from './price-entry'
import { readPriceLine } from './price-line'

const linesByName = namedLines(priceText)

/**
 * Returns what the vendor of a model charges, whatever the name's host, variant or snapshot. Null when the catalog does not
 * know it. A name with a host's path that is listed as a whole has the host's own price.
 */
export const catalogPriceOf: (name: string) => PriceEntry | null = remembering((name) => priceIn(linesByName(), name))

/**
 * Returns the price of the closest relative of a model that has none itself: its preview or the longest name that it begins
 * with. Its price is not the model's, but how its classes relate to each other is a good guess.
 */
export function familyPriceOf(name: string): PriceEntry | null {
  for (const key of modelKeys(name)) {
    for (const relative of [`${key}-preview`, `${key}-latest`]) {
      const found = catalogPriceOf(relative)
      if (found) return found
    }
    for (let end = key.lastIndexOf('-'); end > 0; end = key.lastIndexOf('-', end - 1)) {
      const line = linesByName().get(key.slice(0, end))
      if (line !== undefined) return readPriceLine(line)
    }
  }
  return null
}

/** Returns the names of all prices in the catalog. */
export const catalogedPrices = (): readonly string[] => [...linesByName().keys()]

/** Returns what a model costs by these lines of `priceLines`, each under its name, as `catalogPriceOf` finds it in the shipped ones. */
export function priceIn(prices: ReadonlyMap<string, string>, name: string): PriceEntry | null {
  for (const key of priceKeys(name)) {
    const line = prices.get(key)
    if (line !== undefined) return readPriceLine(line)
  }
  return null
}

/** A fine-tuned model costs something else than the model it was made from. */
function priceKeys(name: string): string[] {
  const whole = name.trim().toLowerCase()
  const keys = [...modelKeys(name)]
  return whole.startsWith('ft:') ? keys.map((key) => `ft:${key}`) : [whole, ...keys]
}
