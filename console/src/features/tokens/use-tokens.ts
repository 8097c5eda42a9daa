import { pageIn, tokenRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import type { TokenSearch } from './token-search'

interface TokenQuery extends Omit<TokenSearch, 'edit'> {
  /** From 1. */
  readonly page: number
  readonly size: number
}

/** A page of the reader's tokens: all, or those that a search finds. The calls count pages from 0. */
export function useTokens({ keyword, page, size, status, group, sort, descending }: TokenQuery) {
  const query = { p: page - 1, size, status, group, sort, descending: descending || undefined }
  const isSearch = keyword !== undefined
  const all = useRead(tokenRoutes.listTokens, { query }, { enabled: !isSearch })
  const found = useRead(
    tokenRoutes.searchTokens,
    { query: { ...query, either: keyword } },
    { enabled: isSearch, select: pageIn },
  )
  return isSearch ? found : all
}

/** The reads that a change of tokens makes stale. */
export const tokenReads = [tokenRoutes.listTokens, tokenRoutes.searchTokens] as const
