import type { priceRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { pageSearch, searchText } from '../../../lib/url/page-search'

// Repeated here: the address is parsed before the page and its routes are loaded.
const filters = ['all', 'own', 'default', 'unpriced', 'differs'] as const satisfies typeof priceRoutes.priceFilters
const kinds = [
  'tokens',
  'call',
  'image',
  'second',
  'character',
  'unpriced',
] as const satisfies typeof priceRoutes.billingKinds

/** Search parameters of the page. */
export const PricesSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  filter: z.enum(filters).optional().catch(undefined),
  /** All listed models; by default those of channels and those with an operator's price. */
  scope: z.literal('all').optional().catch(undefined),
  /** Key of a maker. */
  vendor: searchText,
  kind: z.enum(kinds).optional().catch(undefined),
  /** The model whose panel is open. */
  open: searchText,
  /** The model whose entry is edited. */
  edit: searchText,
  dialog: z.literal('import').optional().catch(undefined),
})
export type PricesSearch = z.output<typeof PricesSearch>
