import { pageIn, tokenRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import type { TokenSearch } from './token-search'

interface TokenQuery extends Pick<TokenSearch, 'keyword' | 'token'> {
  /** From 1. */
  readonly page: number
  readonly size: number
}

/** A page of the reader's tokens: all, or those that a search finds. The calls count pages from 0. */
export function useTokens({ keyword, token, page, size }: TokenQuery) {
  const paging = { p: page - 1, size }
  const isSearch = Boolean(keyword ?? token)
  const all = useRead(tokenRoutes.listTokens, { query: paging }, { enabled: !isSearch })
  const found = useRead(
    tokenRoutes.searchTokens,
    { query: { ...paging, keyword, token } },
    { enabled: isSearch, select: pageIn },
  )
  return isSearch ? found : all
}

/** The reads that a change of tokens makes stale. */
export const tokenReads = [tokenRoutes.listTokens, tokenRoutes.searchTokens] as const
