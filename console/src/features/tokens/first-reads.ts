import type { FirstReads } from '../../lib/first-reads'
import { tokensQuery } from './token-query'
import type { TokenSearch } from './token-search'

export const firstReads: FirstReads<TokenSearch> = ({ search, size }) =>
  search.keyword === undefined
    ? [['/api/token', tokensQuery({ ...search, page: search.page ?? 1, size: search.size ?? size })]]
    : []
