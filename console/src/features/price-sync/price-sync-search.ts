import { priceSyncRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { pageSearch, searchText } from '../../lib/page-search'

/** What the address of the page holds. */
export const PriceSyncSearch = z.object({
  ...pageSearch,
  state: z.enum(priceSyncRoutes.proposalStates).optional().catch(undefined),
  keyword: searchText,
  source: searchText,
  sort: z.enum(['model', 'change']).optional().catch(undefined),
})
export type PriceSyncSearch = z.output<typeof PriceSyncSearch>
