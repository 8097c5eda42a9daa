import * as z from 'zod'

import { pageSearch, rangeSearch, searchNumber, searchText } from '../../../lib/url/page-search'

/** Search parameters of the page. */
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
  /** Id of the row whose panel is open. */
  open: searchNumber,
})
export type AuditSearch = z.output<typeof AuditSearch>
