import * as z from 'zod'

import { ListSearch, searchNumber, searchText } from '../../lib/page-search'

/** What the address of the page holds; its keyword is a part of the name, mail address or display name, or the id. */
export const UserSearch = z.object({
  ...ListSearch.shape,
  group: searchText,
  /** The id of the user whose panel is open. */
  open: searchNumber,
})
export type UserSearch = z.output<typeof UserSearch>
