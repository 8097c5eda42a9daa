import type { priceSyncRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { pageSearch, searchText } from '../../lib/page-search'

// Written here: the address is read before the page and its routes are loaded.
const states = ['waiting', 'applied', 'rejected', 'refused'] as const satisfies typeof priceSyncRoutes.proposalStates

/** What the address of the page holds. */
export const PriceSyncSearch = z.object({
  ...pageSearch,
  state: z.enum(states).optional().catch(undefined),
  keyword: searchText,
  source: searchText,
  sort: z.enum(['model', 'change']).optional().catch(undefined),
})
export type PriceSyncSearch = z.output<typeof PriceSyncSearch>
