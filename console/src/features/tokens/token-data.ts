import { pageIn, tokenRoutes } from '@tollgate/contract'

import type { ListPart } from '../../components/data-table/use-list'
import { useRead } from '../../lib/api/query'
import { tokensQuery } from './token-query'
import type { TokenSearch } from './token-search'

/** A page of the reader's tokens: all, or those that match a search. */
export function useTokens(search: TokenSearch, part: ListPart<tokenRoutes.TokenSorting>) {
  const query = tokensQuery(search, part)
  const { keyword } = search
  const isSearch = keyword !== undefined
  const all = useRead(tokenRoutes.listTokens, { query }, { enabled: !isSearch })
  const found = useRead(
    tokenRoutes.searchTokens,
    { query: { ...query, either: keyword } },
    { enabled: isSearch, select: pageIn },
  )
  return isSearch ? found : all
}

/** Reads to refresh when tokens change. */
export const tokenReads = [tokenRoutes.listTokens, tokenRoutes.searchTokens] as const
