import * as z from 'zod'

import { pageSearch, searchNumber, searchText } from '../../lib/url/page-search'
import { Exclusions } from './filters/exclusions'

/** Ranges that end now and move with the clock. */
export const quickRanges = ['hour', 'today', 'week', 'month'] as const
export type QuickRange = (typeof quickRanges)[number]

/** Search parameters of the page. */
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
  /** Code of a failed call. */
  error: searchText,
  /** Minimum duration in seconds. */
  slow: searchNumber,
  /** Minimum cost in quota. */
  cost: searchNumber,
  /** Excluded values. */
  not: Exclusions.optional().catch(undefined),
  /** Id of the row whose panel is open. */
  open: searchNumber,
})
export type LogSearch = z.output<typeof LogSearch>
