import type { tokenRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { ListSearch, searchNumber, searchText } from '../../lib/page-search'

// Written here: the address is read before the page and its routes are loaded.
const sorts = [
  'name',
  'created',
  'used',
  'spent',
  'left',
  'expires',
] as const satisfies readonly tokenRoutes.TokenSorting[]

/** What the address of the page holds; its keyword is a part of the name or of the key. */
export const TokenSearch = z.object({
  ...ListSearch.shape,
  status: searchNumber,
  /** In which tokens call. */
  group: searchText,
  sort: z.enum(sorts).optional().catch(undefined),
  descending: z.boolean().optional().catch(undefined),
})
export type TokenSearch = z.output<typeof TokenSearch>
