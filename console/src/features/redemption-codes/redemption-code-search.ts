import * as z from 'zod'

import { ListSearch, searchNumber, searchText } from '../../lib/url/page-search'

/** Search parameters of the page; the keyword is a part of the name, or the id. */
export const RedemptionCodeSearch = z.object({
  ...ListSearch.shape,
  status: searchText,
  kind: z.enum(['gift', 'single']).optional().catch(undefined),
  /** Id of the code whose panel is open. */
  open: searchNumber,
})
export type RedemptionCodeSearch = z.output<typeof RedemptionCodeSearch>

export const noFilters = {
  keyword: undefined,
  status: undefined,
  kind: undefined,
} satisfies Partial<RedemptionCodeSearch>
