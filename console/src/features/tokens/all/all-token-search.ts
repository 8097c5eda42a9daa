import * as z from 'zod'

import { pageSearch, searchFlag, searchNumber, searchText } from '../../../lib/url/page-search'

/** Search parameters of the page; the keyword is a part of the name of the token or its user, or the id. */
export const AllTokenSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  /** The exact name of a user. */
  username: searchText,
  status: searchNumber,
  group: searchText,
  /** Tokens near one of their limits. */
  near: searchFlag,
  /** Id of the token whose limits are open. */
  limits: searchNumber,
})
export type AllTokenSearch = z.output<typeof AllTokenSearch>

export const noFilters = {
  keyword: undefined,
  username: undefined,
  status: undefined,
  group: undefined,
  near: undefined,
} satisfies Partial<AllTokenSearch>
