import * as z from 'zod'

import { pageSearch, rangeSearch, searchNumber, searchText } from '../../lib/page-search'

/** What the address of the page holds. */
export const AuditSearch = z.object({
  ...pageSearch,
  username: searchText,
  action: searchText,
  target: searchText,
  target_id: searchText,
  outcome: searchText,
  ip: searchText,
  request: searchText,
  ...rangeSearch,
  /** The id of the row whose panel is open. */
  open: searchNumber,
})
export type AuditSearch = z.output<typeof AuditSearch>
