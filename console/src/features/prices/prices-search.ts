import { priceRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { pageSearch, searchText } from '../../lib/page-search'

/** What the address of the page holds. */
export const PricesSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  filter: z.enum(priceRoutes.priceFilters).optional().catch(undefined),
  /** Everything on the lists too; else what channels list or operators priced. */
  scope: z.literal('all').optional().catch(undefined),
  /** Key of a maker. */
  vendor: searchText,
  kind: z.enum(priceRoutes.billingKinds).optional().catch(undefined),
  /** The model whose panel is open. */
  open: searchText,
  /** The model whose entry is edited. */
  edit: searchText,
  dialog: z.literal('import').optional().catch(undefined),
})
export type PricesSearch = z.output<typeof PricesSearch>
