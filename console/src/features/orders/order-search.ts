import * as z from 'zod'

import { pageSearch, rangeSearch, searchText } from '../../lib/page-search'

/** What the address of the page holds; its keyword is a part of a number or of a username. */
export const OrderSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  status: searchText,
  provider: searchText,
  /** `any`: those alone that need an operator. */
  problem: searchText,
  ...rangeSearch,
  /** The number of the order whose panel is open. */
  open: searchText,
})
export type OrderSearch = z.output<typeof OrderSearch>
