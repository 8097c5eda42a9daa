import * as z from 'zod'

import { searchNumber, searchText } from '../../lib/url/page-search'

/** Search parameters of the page. A key never is one. */
export const ConnectSearch = z.object({
  /** Id of the program; the page knows which there are. */
  client: searchText,
  /** Id of the reader's token whose key is filled in. */
  token: searchNumber,
})
