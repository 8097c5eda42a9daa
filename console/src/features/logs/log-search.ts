import * as z from 'zod'

import { pageSearch, searchNumber, searchText } from '../../lib/page-search'

/** What the address of the page holds. */
export const LogSearch = z.object({
  ...pageSearch,
  type: searchNumber,
  token: searchText,
  model: searchText,
  group: searchText,
  /** Unix seconds. */
  from: searchNumber,
  to: searchNumber,
  username: searchText,
  channel: searchNumber,
  request: searchText,
  /** The id of the row whose panel is open. */
  open: searchNumber,
})
export type LogSearch = z.output<typeof LogSearch>
