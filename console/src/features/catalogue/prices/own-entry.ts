import { type ClassPrices, type PriceClass, type PriceEntry, type priceRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

type Row = Pick<priceRoutes.PriceRow, 'own'>

/** Returns the operator's entry with another price of one class; null removes it. The result may be empty. */
export function withPrice(own: PriceEntry | null, name: PriceClass, price: number | null): PriceEntry {
  const { prices, ratios, ...rest } = own ?? { prices: {} }
  const { [name]: _, ...otherPrices } = prices
  const otherRatios = Object.fromEntries(Object.entries(ratios ?? {}).filter(([ratio]) => ratio !== name))
  return {
    ...rest,
    prices: price === null ? otherPrices : { ...otherPrices, [name]: price },
    ...(Object.keys(otherRatios).length > 0 && { ratios: otherRatios }),
  }
}

/** Whether an entry has no content. */
export const isEmptyEntry = ({ prices, ratios = {}, tiers, modes, schedules }: PriceEntry): boolean =>
  Object.keys(prices).length === 0 && Object.keys(ratios).length === 0 && !tiers && !modes && !schedules

/**
 * Returns the shortest operator's entry with these sale prices: what equals the list is left out, so that it keeps following the list.
 * Where the input price differs, the list's other prices would follow in proportion, so all of them are included. Null when it equals the
 * list.
 */
export function minimalEntry(sale: PriceEntry, listed: PriceEntry | null): PriceEntry | null {
  const list = listed && inPrices(listed)
  if (!list || sale.prices.input !== list.prices.input || isByCall(sale) !== isByCall(list)) return sale
  const isListed = ([name, price]: readonly [string, number]) => list.prices[name as PriceClass] === price
  const left = Object.keys(list.prices).some((name) => sale.prices[name as PriceClass] === undefined)
  // A class of the list cannot be removed by leaving it out.
  if (left) return sale
  const prices: ClassPrices = Object.fromEntries(Object.entries(sale.prices).filter((pair) => !isListed(pair)))
  const own: PriceEntry = { prices }
  if (!isSame(sale.tiers, list.tiers)) own.tiers = sale.tiers ?? []
  if (!isSame(sale.modes, list.modes)) own.modes = sale.modes ?? []
  if (!isSame(sale.schedules, list.schedules)) own.schedules = sale.schedules ?? []
  return isEmptyEntry(own) ? null : own
}

const isByCall = ({ prices }: PriceEntry) => prices.per_call !== undefined

const isSame = (one: readonly unknown[] = [], other: readonly unknown[] = []) =>
  JSON.stringify(sortedKeys(one)) === JSON.stringify(sortedKeys(other))

/** The order of an object's fields is irrelevant. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, part]) => [name, sortedKeys(part)]),
  )
}

/** Returns the difference from the list as a share of it: 0.2 is 20 %. Undefined without both prices. */
export const differenceOf = (mix: number | null, listMix: number | null): number | undefined =>
  mix === null || listMix === null || listMix === 0 ? undefined : mix / listMix - 1

/** Returns the entry whose prices a row shows for editing. */
export const ownOf = ({ own }: Row): PriceEntry | null => own?.entry ?? null
