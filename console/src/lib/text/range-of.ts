import type { QuickRange } from '../url/page-search'

const day = 86_400
const lengths: Readonly<Record<QuickRange, number | undefined>> = {
  day,
  week: 7 * day,
  month: 30 * day,
  all: undefined,
}

/** The times of `rangeSearch` in an address. */
export interface RangeInAddress {
  readonly range?: QuickRange | undefined
  /** Unix seconds. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Returns the call's times for an address; ranges that end now begin at a whole minute. */
export function rangeOf({ range, from, to }: RangeInAddress, nowSeconds: number) {
  const length = lengths[range ?? 'all']
  const since = length === undefined ? undefined : Math.floor(nowSeconds / 60) * 60 - length
  return { start_timestamp: from ?? since, end_timestamp: to }
}
