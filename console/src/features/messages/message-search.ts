import * as z from 'zod'

import { ListSearch, rangeSearch, searchText } from '../../lib/url/page-search'

/** Search parameters of the page; the keyword is a part of the title or the content. */
export const MessagesSearch = z.object({
  ...ListSearch.shape,
  ...rangeSearch,
  /** Ids of the recipients of the new message, separated by commas. */
  recipients: searchText,
})
export type MessagesSearch = z.output<typeof MessagesSearch>
