import * as z from 'zod'

import { pageSearch } from '../../lib/page-search'

/** What the address of the list holds. */
export const InboxSearch = z.object({ page: pageSearch.page, size: pageSearch.size })
export type InboxSearch = z.output<typeof InboxSearch>
