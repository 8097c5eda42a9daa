import * as z from 'zod'

import { searchText } from '../../../lib/url/page-search'

/** The query in the address. */
export const RouteSearch = z.object({
  model: searchText,
  group: searchText,
  /** A user name. */
  user: searchText,
  /** A token of that user by name, or any token by id. */
  token: searchText,
})
export type RouteSearch = z.output<typeof RouteSearch>
