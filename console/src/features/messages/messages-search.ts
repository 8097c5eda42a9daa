import * as z from 'zod'

import { ListSearch, rangeSearch } from '../../lib/page-search'

/** Search parameters of the page; the keyword is a part of the title or the content. */
export const MessagesSearch = z.object({ ...ListSearch.shape, ...rangeSearch })
export type MessagesSearch = z.output<typeof MessagesSearch>
