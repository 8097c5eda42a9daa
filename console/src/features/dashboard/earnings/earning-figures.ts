import type { earningRoutes } from '@tollgate/contract'

type Sums = earningRoutes.EarningSums

/** The cost of at least one call is known, or there was none. */
export const isKnown = ({ count, unpriced }: Sums): boolean => count === 0 || count > unpriced

/** Returns what is left of the calls' price after their cost at the vendor; undefined where no cost is known. */
export const profitOf = (sums: Sums): number | undefined => (isKnown(sums) ? sums.sold - sums.cost : undefined)

/** Returns the profit as a share of the sale it is of; undefined where nothing was sold. */
export const marginOf = (sums: Sums): number | undefined =>
  isKnown(sums) && sums.sold > 0 ? 1 - sums.cost / sums.sold : undefined

/** Returns what calls of unknown cost were sold for. */
export const unknownSale = ({ quota, sold }: Sums): number => quota - sold
