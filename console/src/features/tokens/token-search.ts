import type { tokenRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { ListSearch, searchNumber, searchText } from '../../lib/page-search'

// Repeated here: the address is parsed before the page and its routes are loaded.
const sorts = [
  'name',
  'created',
  'used',
  'spent',
  'left',
  'expires',
] as const satisfies readonly tokenRoutes.TokenSorting[]

/** Search parameters of the page; the keyword is a part of the name or of the key. */
export const TokenSearch = z.object({
  ...ListSearch.shape,
  status: searchNumber,
  /** Group of the tokens. */
  group: searchText,
  sort: z.enum(sorts).optional().catch(undefined),
  descending: z.boolean().optional().catch(undefined),
})
export type TokenSearch = z.output<typeof TokenSearch>
