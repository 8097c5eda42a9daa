import * as z from 'zod'

import { searchText } from '../../lib/page-search'

// Written here: the address is read before the page is loaded.
const pageNames = ['routing', 'sensitive-words', 'logs', 'security', 'monitoring'] as const
export type PageName = (typeof pageNames)[number]

/** What the address of the page holds. */
export const SettingsSearch = z.object({
  page: z.enum(pageNames).optional().catch(undefined),
  /** Shows what it finds on every page instead of one page. */
  keyword: searchText,
})
export type SettingsSearch = z.output<typeof SettingsSearch>
