import * as z from 'zod'

import { pageSearch, searchNumber, searchText } from '../../lib/url/page-search'

/** Search parameters of the page. */
export const ChannelSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  group: searchText,
  model: searchText,
  status: searchNumber,
  type: searchNumber,
  /** `new`, or the id of the channel in the drawer. */
  edit: searchText,
  /** Id of the channel whose panel is open. */
  open: searchNumber,
})
export type ChannelSearch = z.output<typeof ChannelSearch>

export const noFilters = { keyword: undefined, group: undefined, model: undefined, status: undefined, type: undefined }
