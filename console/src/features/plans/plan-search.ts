import * as z from 'zod'

import { ListSearch, searchNumber } from '../../lib/url/page-search'

/** Search parameters of the page; the keyword is a part of the name. */
export const PlanSearch = z.object({
  ...ListSearch.shape,
  /** Only those on sale, or only the others. */
  sale: z.enum(['on', 'off']).optional().catch(undefined),
  /** Id of the plan whose panel is open. */
  open: searchNumber,
})
export type PlanSearch = z.output<typeof PlanSearch>

export const noFilters = { keyword: undefined, sale: undefined } satisfies Partial<PlanSearch>
