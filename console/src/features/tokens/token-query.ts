import type { TokenSearch } from './token-search'

export interface TokenQuery extends Omit<TokenSearch, 'edit'> {
  /** From 1. */
  readonly page: number
  readonly size: number
}

/** Returns the query for a page of the reader's tokens. The calls count pages from 0. */
export const tokensQuery = ({ page, size, status, group, sort, descending }: TokenQuery) => ({
  p: page - 1,
  size,
  status,
  group,
  sort,
  descending: descending || undefined,
})
