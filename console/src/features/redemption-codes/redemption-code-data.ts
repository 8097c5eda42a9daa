import { pageIn, redemptionRoutes } from '@tollgate/contract'

import type { ListPart } from '../../components/data-table/use-list'
import { useRead } from '../../lib/api/query'
import type { RedemptionCodeSearch } from './redemption-code-search'

export type RedemptionCode = redemptionRoutes.RedemptionEntity

/** A page of codes: all, or those that match a search. */
export function useRedemptionCodes(
  { keyword, status, kind }: RedemptionCodeSearch,
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
  return { ...list, data: list.data && pageIn<RedemptionCode>(list.data) }
}

/** Reads to refresh when codes change. */
export const redemptionCodeReads = [
  redemptionRoutes.listRedemptions,
  redemptionRoutes.searchRedemptions,
  redemptionRoutes.getRedemption,
] as const
