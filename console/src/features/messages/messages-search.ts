import * as z from 'zod'

import { ListSearch, rangeSearch } from '../../lib/page-search'

/** What the address of the page holds; its keyword is a part of the title or the content. */
export const MessagesSearch = z.object({ ...ListSearch.shape, ...rangeSearch })
export type MessagesSearch = z.output<typeof MessagesSearch>
