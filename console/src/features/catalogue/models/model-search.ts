import type { pricingRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { pageSearch, searchText } from '../../../lib/url/page-search'
import type { BillingKind } from '../../../lib/text/price-entry/billing'

/** Columns with a price of the model. */
export const priceColumns = ['input', 'output', 'cache', 'write', 'unit'] as const
export type PriceColumn = (typeof priceColumns)[number]

export const sortColumns = ['name', 'context', ...priceColumns, 'cost'] as const
export type SortColumn = (typeof sortColumns)[number]

// Repeated here: the address is parsed before the page and its routes are loaded.
const kinds = ['volume', 'call', 'image', 'second', 'character'] as const satisfies readonly BillingKind[]
const abilities = [
  'tools',
  'reasoning',
  'structured-output',
  'prompt-caching',
  'web-search',
] as const satisfies readonly pricingRoutes.Ability[]

const flag = z.literal(true).optional().catch(undefined)
const amount = z.number().int().min(0).max(1e12).optional().catch(undefined)

/** Search parameters of the page. */
export const ModelSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  /** Key of a maker; `other`: unknown makers. */
  vendor: searchText,
  kind: z.enum(kinds).optional().catch(undefined),
  /** The group whose prices are shown; by default the reader's own. */
  group: searchText,
  /** Models with this ability. */
  ability: z.enum(abilities).optional().catch(undefined),
  /** Shows the prices of all groups side by side. */
  compare: flag,
  /** The calculator is open; tokens of the call where they differ from the defaults. */
  calculator: flag,
  in: amount,
  out: amount,
  cached: amount,
  /** Name of the call's mode. */
  mode: searchText,
  view: z.literal('cards').optional().catch(undefined),
  sort: z.enum(sortColumns).optional().catch(undefined),
  descending: z.boolean().optional().catch(undefined),
  /** The model whose panel is open. */
  open: searchText,
})
export type ModelSearch = z.output<typeof ModelSearch>
