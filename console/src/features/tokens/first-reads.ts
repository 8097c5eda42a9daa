import type { FirstReads } from '../../lib/api/first-reads'
import { tokensQuery } from './token-query'
import type { TokenSearch } from './token-search'

export const firstReads: FirstReads<TokenSearch> = ({ search, size }) => {
  const { sort, descending, page = 1 } = search
  const part = { page, size: search.size ?? size, sort, descending: descending || undefined }
  return search.keyword === undefined ? [['/api/token', tokensQuery(search, part)]] : []
}
