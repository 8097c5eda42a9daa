import * as z from 'zod'

import { pageSearch, rangeSearch, searchText } from '../../../lib/url/page-search'

/** Search parameters of the page; the keyword is a part of a number or of a username. */
export const OrderSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  status: searchText,
  provider: searchText,
  /** `any`: only orders that need an operator. */
  problem: searchText,
  ...rangeSearch,
  /** Number of the order whose panel is open. */
  open: searchText,
})
export type OrderSearch = z.output<typeof OrderSearch>
