import { pageIn, redemptionRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import type { CouponSearch } from './coupon-search'

export type Coupon = redemptionRoutes.RedemptionEntity

interface CouponQuery extends Pick<CouponSearch, 'keyword' | 'status' | 'kind'> {
  /** From 1, as in the address. */
  readonly page: number
  readonly size: number
}

/** A page of codes: all, or those that match a search. */
export function useCoupons({ keyword, status, kind, page, size }: CouponQuery) {
  const query = { p: page - 1, page_size: size }
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
