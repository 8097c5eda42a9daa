import { pageIn, tokenRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import { tokensQuery, type TokenQuery } from './token-query'

/** A page of the reader's tokens: all, or those that match a search. */
export function useTokens({ keyword, ...listed }: TokenQuery) {
  const query = tokensQuery(listed)
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
