import type { ClassPrices } from '@tollgate/models'

/** What one source charges for a model, in US dollars. */
export interface SourcePrice {
  readonly source: string
  readonly name: string
  readonly prices: ClassPrices
}

/** Two sources that differ by more than `mostFactor` in one class. */
export interface Disagreement {
  readonly name: string
  readonly value: string
}

/** Sources differ by up to this for good reasons: discounts, hosts, a price that fell since. */
const maxFactor = 3

/** Returns where two sources differ by a factor above 3, by name. A source that says 0 does not know the price. */
export function findDisagreements(all: readonly SourcePrice[]): Disagreement[] {
  return [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, value]) =>
    (['input', 'output', 'per_second', 'per_image', 'per_character'] as const).flatMap((priceClass) => {
      const known = value
        .flatMap(({ source, prices }) => (prices[priceClass] ? [{ source, price: prices[priceClass] }] : []))
        .toSorted((one, other) => one.price - other.price)
      const [low, high] = [known.at(0), known.at(-1)]
      if (!low || !high || high.price <= low.price * maxFactor) return []
      return [{ name, value: `${priceClass}: ${low.source} ${low.price}, ${high.source} ${high.price}` }]
    }),
  )
}
