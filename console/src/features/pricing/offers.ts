import type { pricingRoutes } from '@tollgate/contract'

import { pricesOf, type Prices } from '../../lib/prices'
import { costOf, type CallTokens } from './cost'
import type { BillingKind, PriceColumn, PricingSearch, SortColumn } from './pricing-search'

type Row = pricingRoutes.PricingRow

/** A model with its prices in the chosen group; none where the group does not have it. */
export interface Offer extends Row {
  readonly prices: Prices | undefined
  readonly kind: BillingKind
}

/** Stands for models whose maker nobody knows. */
export const otherVendor = 'other'

export const vendorOf = ({ owned_by: maker }: Row): string => maker || otherVendor

export function offersIn(rows: readonly Row[], group: string, groupRatio: number): Offer[] {
  return rows.map((row) => {
    const prices = pricesOf(row, groupRatio)
    return { ...row, kind: prices.kind, prices: row.enable_groups.includes(group) ? prices : undefined }
  })
}

type Filters = Pick<PricingSearch, 'keyword' | 'vendor' | 'kind' | 'ability'>

/** Each word of the search has to stand in the name. */
export function matching(offers: readonly Offer[], { keyword = '', vendor, kind, ability }: Filters): Offer[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  return offers.filter(
    (offer) =>
      (!vendor || vendorOf(offer) === vendor) &&
      (!kind || offer.kind === kind) &&
      (!ability || offer.facts?.abilities.includes(ability)) &&
      words.every((word) => offer.model_name.toLowerCase().includes(word)),
  )
}

/** How many offers there are of each kind, the most first and the unknown last. */
export function counted(
  offers: readonly Offer[],
  kindOf: (offer: Offer) => string,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const offer of offers) counts.set(kindOf(offer), (counts.get(kindOf(offer)) ?? 0) + 1)
  return [...counts].sort(([one, many], [other, more]) => {
    const isLast = Number(one === otherVendor) - Number(other === otherVendor)
    return isLast || more - many || (one < other ? -1 : 1)
  })
}

interface Order {
  readonly column: SortColumn
  readonly isDescending: boolean
  /** Of the call whose cost is compared. */
  readonly tokens: CallTokens
}

/** By a column; what has no value there comes last either way. */
export function sorted(offers: readonly Offer[], { column, isDescending, tokens }: Order): Offer[] {
  const direction = isDescending ? -1 : 1
  const byName = (one: Offer, other: Offer) => (one.model_name < other.model_name ? -1 : 1)
  if (column === 'name') return offers.toSorted((one, other) => direction * byName(one, other))
  const valueOf = (offer: Offer) => {
    if (column === 'context') return offer.facts?.context_tokens ?? undefined
    return column === 'cost' ? costOf(offer.prices, tokens) : priceIn(offer, column)
  }
  return offers.toSorted((one, other) => {
    const [value, otherValue] = [valueOf(one), valueOf(other)]
    if (value === undefined || otherValue === undefined)
      return Number(value === undefined) - Number(otherValue === undefined) || byName(one, other)
    return direction * (value - otherValue) || byName(one, other)
  })
}

/** The price of an offer that a column shows. */
export function priceIn({ prices }: Pick<Offer, 'prices'>, column: PriceColumn): number | undefined {
  if (!prices) return undefined
  if (column === 'call') return prices.kind === 'call' ? prices.call : undefined
  return prices.kind === 'volume' ? prices[column] : undefined
}
