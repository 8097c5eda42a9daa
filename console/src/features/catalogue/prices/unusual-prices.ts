import type { ClassPrices, PriceClass, PriceEntry, priceRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

import { isUnusual } from '../../../lib/text/unusual'

/** In dollars, of a class that has no price so far: for a million tokens, a call, an image. */
const usualPrice = 1

/** Returns the prices of a new entry that are far above those a model has and those of the list, with their classes. */
export function unusualPrices(
  entry: PriceEntry,
  { sale, list }: Pick<priceRoutes.PriceRow, 'sale' | 'list'>,
): readonly (readonly [PriceClass, number])[] {
  const known = [sale, list].flatMap((one) => (one ? pricesIn(inPrices(one)) : []))
  return pricesIn(inPrices(entry)).filter(([name, price], at, all) => {
    if (all.findIndex(([other]) => other === name) !== at) return false
    const usual = known.flatMap(([other, known]) => (other === name && known > 0 ? [known] : []))
    return isUnusual(price, ...(usual.length > 0 ? usual : [usualPrice]))
  })
}

/** Returns all prices of an entry, of tiers and modes too, the highest first. */
function pricesIn({ prices, tiers = [], modes = [] }: PriceEntry): readonly (readonly [PriceClass, number])[] {
  const ofModes = modes.flatMap((mode) => [mode.prices ?? {}, ...(mode.tiers ?? []).map((tier) => tier.prices)])
  const all: readonly ClassPrices[] = [prices, ...tiers.map((tier) => tier.prices), ...ofModes]
  return all
    .flatMap((each) => Object.entries(each).map(([name, price]) => [name as PriceClass, price] as const))
    .toSorted(([, one], [, other]) => other - one)
}
