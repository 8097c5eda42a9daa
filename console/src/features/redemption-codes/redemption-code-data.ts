import { pageIn, redemptionRoutes } from '@tollgate/contract'

import type { ListPart } from '../../components/data-table/use-list'
import { useRead } from '../../lib/api/query'
import type { CouponSearch } from './redemption-code-search'

export type Coupon = redemptionRoutes.RedemptionEntity

/** A page of codes: all, or those that match a search. */
export function useCoupons(
  { keyword, status, kind }: CouponSearch,
  { page, size, sort, descending }: ListPart<redemptionRoutes.RedemptionSort>,
) {
  const query = { p: page - 1, page_size: size, sort, descending }
  const isSearch = [keyword, status, kind].some((filter) => filter !== undefined)
  const all = useRead(redemptionRoutes.listRedemptions, { query }, { enabled: !isSearch })
  const found = useRead(
    redemptionRoutes.searchRedemptions,
    { query: { ...query, keyword, status, is_gift: kind === undefined ? undefined : kind === 'gift' } },
    { enabled: isSearch },
  )
  const list = isSearch ? found : all
  return { ...list, data: list.data && pageIn<Coupon>(list.data) }
}

/** Reads to refresh when codes change. */
export const couponReads = [
  redemptionRoutes.listRedemptions,
  redemptionRoutes.searchRedemptions,
  redemptionRoutes.getRedemption,
] as const
