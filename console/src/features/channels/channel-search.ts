import * as z from 'zod'

import { pageSearch, searchText } from '../../lib/page-search'

/** What the address of the page holds. */
export const ChannelSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  group: searchText,
  model: searchText,
  /** `new`, or the id of the channel whose drawer is open. */
  edit: searchText,
})
export type ChannelSearch = z.output<typeof ChannelSearch>
