import * as z from 'zod'

import { pageSearch, searchNumber, searchText } from '../../lib/page-search'

/** Ranges that end now. */
export const quickRanges = ['day', 'week', 'month', 'all'] as const
export type QuickRange = (typeof quickRanges)[number]

/** What the address of the page holds. */
export const AuditSearch = z.object({
  ...pageSearch,
  username: searchText,
  action: searchText,
  target: searchText,
  target_id: searchText,
  outcome: searchText,
  ip: searchText,
  request: searchText,
  /** Everything, where neither this nor an end of a range is given. */
  range: z.enum(quickRanges).optional().catch(undefined),
  /** Unix seconds. */
  from: searchNumber,
  to: searchNumber,
  /** The id of the row whose panel is open. */
  open: searchNumber,
})
export type AuditSearch = z.output<typeof AuditSearch>
