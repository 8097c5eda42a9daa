import type { earningRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { searchNumber, searchText } from '../../../lib/url/page-search'
import { DashboardSearch } from '../dashboard-search'

// Repeated here: the address is parsed before the page and its routes are loaded.
const groupings = [
  'time',
  'channel',
  'key',
  'model',
  'group',
  'user',
] as const satisfies readonly earningRoutes.EarningGrouping[]

/** Search parameters of the page. */
export const EarningSearch = DashboardSearch.pick({ days: true, from: true, to: true, step: true }).extend({
  by: z.enum(groupings).optional().catch(undefined),
  /** Id of the column that the rows are sorted by. */
  sort: z.string().optional().catch(undefined),
  descending: z.boolean().optional().catch(undefined),
  channel: searchNumber,
  /** The fingerprint of an upstream key. */
  key: searchText,
  model: searchText,
  group: searchText,
  username: searchText,
})
export type EarningSearch = z.output<typeof EarningSearch>
