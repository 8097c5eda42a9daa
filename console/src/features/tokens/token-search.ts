import { tokenRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { pageSearch, searchNumber, searchText } from '../../lib/page-search'

/** What the address of the page holds. */
export const TokenSearch = z.object({
  ...pageSearch,
  /** Part of the name or of the key. */
  keyword: searchText,
  status: searchNumber,
  /** In which tokens call. */
  group: searchText,
  sort: z.enum(tokenRoutes.tokenSortings).optional().catch(undefined),
  descending: z.boolean().optional().catch(undefined),
  /** `new`, or the id of the token whose drawer is open. */
  edit: searchText,
})
export type TokenSearch = z.output<typeof TokenSearch>
