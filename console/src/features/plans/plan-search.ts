import * as z from 'zod'

import { ListSearch, searchNumber } from '../../lib/url/page-search'

/** Search parameters of the page. */
export const PlanSearch = z.object({
  ...ListSearch.shape,
  /** Id of the plan whose panel is open. */
  open: searchNumber,
})
export type PlanSearch = z.output<typeof PlanSearch>
