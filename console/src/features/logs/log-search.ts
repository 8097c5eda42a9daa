import * as z from 'zod'

import { pageSearch, searchNumber, searchText } from '../../lib/page-search'
import { Exclusions } from './exclusions'

/** Ranges that end now: what they begin at moves along. */
export const quickRanges = ['hour', 'today', 'week', 'month'] as const
export type QuickRange = (typeof quickRanges)[number]

/** What the address of the page holds. */
export const LogSearch = z.object({
  ...pageSearch,
  type: searchNumber,
  token: searchText,
  model: searchText,
  group: searchText,
  /** Today, where neither this nor an end of a range is given. */
  range: z.enum(quickRanges).optional().catch(undefined),
  /** Unix seconds. */
  from: searchNumber,
  to: searchNumber,
  username: searchText,
  channel: searchNumber,
  request: searchText,
  /** The code of a failed call. */
  error: searchText,
  /** Seconds that a call took at the least. */
  slow: searchNumber,
  /** Quota that a call cost at the least. */
  cost: searchNumber,
  /** Values that are left out. */
  not: Exclusions.optional().catch(undefined),
  /** The id of the row whose panel is open. */
  open: searchNumber,
})
export type LogSearch = z.output<typeof LogSearch>
