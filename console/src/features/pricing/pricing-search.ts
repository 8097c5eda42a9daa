import * as z from 'zod'

import { pageSearch, searchText } from '../../lib/page-search'

export const priceColumns = ['name', 'input', 'output', 'cache', 'call'] as const
export type PriceColumn = (typeof priceColumns)[number]

export const billingKinds = ['volume', 'call'] as const
export type BillingKind = (typeof billingKinds)[number]

/** What the address of the page holds. */
export const PricingSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  /** Key of a maker; `other`: those whose maker nobody knows. */
  vendor: searchText,
  kind: z.enum(billingKinds).optional().catch(undefined),
  /** Prices are shown for this group; else for the reader's own. */
  group: searchText,
  view: z.literal('cards').optional().catch(undefined),
  sort: z.enum(priceColumns).optional().catch(undefined),
  descending: z.boolean().optional().catch(undefined),
})
export type PricingSearch = z.output<typeof PricingSearch>
