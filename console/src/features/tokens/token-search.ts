import * as z from 'zod'

import { pageSearch, searchText } from '../../lib/page-search'

/** What the address of the page holds. */
export const TokenSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  /** Part of the key. */
  token: searchText,
  /** `new`, or the id of the token whose drawer is open. */
  edit: searchText,
})
export type TokenSearch = z.output<typeof TokenSearch>
