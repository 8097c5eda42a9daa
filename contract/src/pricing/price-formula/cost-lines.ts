import { priceClasses, type PriceClass } from '../price-classes'
import { classPrice, type EntryPrices } from './class-prices'
import { decimal, numberOf, product } from './decimal'
import { shareOf, type Amounts } from './weights'

/** What the amount of one class costs. */
export interface CostLine {
  readonly class: PriceClass
  readonly amount: number
  /** US dollars in the unit of a price entry, with every factor. */
  readonly price: number
  readonly dollars: number
}

/** Returns what amounts cost in US dollars, a line per class that has a price. A call itself counts where it has one. */
export function costLines(basePrices: EntryPrices, amounts: Partial<Amounts>, factors: readonly number[]): CostLine[] {
  const common = product(...factors.map(decimal))
  return priceClasses.flatMap((name) => {
    const amount = name === 'per_call' ? 1 : (amounts[name] ?? 0)
    const own = classPrice(basePrices, name)
    if (own === undefined || amount === 0) return []
    const price = product(own, common)
    return {
      class: name,
      amount,
      price: numberOf(price),
      dollars: numberOf(product(price, shareOf(name), decimal(amount))),
    }
  })
}
