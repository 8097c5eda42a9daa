import * as z from 'zod'

import { ListSearch, searchFlag, searchNumber, searchText } from '../../lib/url/page-search'

/** Search parameters of the page; the keyword is a part of the name, mail address or display name, or the id. */
export const UserSearch = z.object({
  ...ListSearch.shape,
  group: searchText,
  status: searchText,
  role: searchNumber,
  /** Users near one of their limits. */
  near: searchFlag,
  /** Id of the user whose limits are open. */
  limits: searchNumber,
  /** Id of the user whose panel is open. */
  open: searchNumber,
})
export type UserSearch = z.output<typeof UserSearch>

export const noFilters = {
  keyword: undefined,
  group: undefined,
  status: undefined,
  role: undefined,
  near: undefined,
} satisfies Partial<UserSearch>
