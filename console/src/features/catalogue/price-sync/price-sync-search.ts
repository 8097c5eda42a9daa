import type { priceSyncRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { pageSearch, searchText } from '../../../lib/url/page-search'

// Repeated here: the address is parsed before the page and its routes are loaded.
const states = ['waiting', 'applied', 'rejected', 'refused'] as const satisfies typeof priceSyncRoutes.proposalStates

/** Search parameters of the page. */
export const PriceSyncSearch = z.object({
  ...pageSearch,
  state: z.enum(states).optional().catch(undefined),
  keyword: searchText,
  source: searchText,
  sort: z.enum(['model', 'change']).optional().catch(undefined),
})
export type PriceSyncSearch = z.output<typeof PriceSyncSearch>
