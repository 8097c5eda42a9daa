import * as z from 'zod'

import { ListSearch, searchFlag, searchNumber, searchText } from '../../lib/url/page-search'

/** Search parameters of the page; the keyword is a part of the name or of the key. */
export const TokenSearch = z.object({
  ...ListSearch.shape,
  status: searchNumber,
  /** Group of the tokens. */
  group: searchText,
  /** Tokens near one of their limits. */
  near: searchFlag,
  /** Id of the token whose limits are open. */
  limits: searchNumber,
})
export type TokenSearch = z.output<typeof TokenSearch>

export const noFilters = {
  keyword: undefined,
  status: undefined,
  group: undefined,
  near: undefined,
} satisfies Partial<TokenSearch>
