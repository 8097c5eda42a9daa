import * as z from 'zod'

import { pageSearch } from '../../../lib/url/page-search'

/** Search parameters of the list. */
export const InboxSearch = z.object({ page: pageSearch.page, size: pageSearch.size })
export type InboxSearch = z.output<typeof InboxSearch>
