import { tokenRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { ListSearch, searchNumber, searchText } from '../../lib/page-search'

/** What the address of the page holds; its keyword is a part of the name or of the key. */
export const TokenSearch = z.object({
  ...ListSearch.shape,
  status: searchNumber,
  /** In which tokens call. */
  group: searchText,
  sort: z.enum(tokenRoutes.tokenSortings).optional().catch(undefined),
  descending: z.boolean().optional().catch(undefined),
})
export type TokenSearch = z.output<typeof TokenSearch>
