import { pageSizes } from '@tollgate/contract'
import * as z from 'zod'

/** Search parameters of every list. Invalid ones count as absent; absent ones have a default. */
export const pageSearch = {
  /** Pages count from 1 here, whatever the call counts from. */
  page: z.number().int().min(1).optional().catch(undefined),
  size: z
    .number()
    .refine((size) => pageSizes.some((known) => known === size))
    .optional()
    .catch(undefined),
  /** Id of the column that the rows are sorted by. */
  sort: z.string().optional().catch(undefined),
  descending: z.boolean().optional().catch(undefined),
}

/** A text in an address; a bare number is a text, too. */
export const searchText = z
  .union([z.string(), z.number()])
  .transform((value) => String(value) || undefined)
  .optional()
  .catch(undefined)

/** An exact text in an external link. */
export const exactText = z
  .unknown()
  .transform((value) => (value === undefined || typeof value === 'string' ? value : JSON.stringify(value)))
  .optional()

/** An integer in an address. */
export const searchNumber = z.number().int().optional().catch(undefined)

/** A filter that is on or absent. */
export const searchFlag = z.literal(true).optional().catch(undefined)

/** Ranges that end now. */
export const quickRanges = ['day', 'week', 'month', 'all'] as const
export type QuickRange = (typeof quickRanges)[number]

/** The time filter of a list: everything, where neither a quick range nor an end of a custom one is given. */
export const rangeSearch = {
  range: z.enum(quickRanges).optional().catch(undefined),
  /** Unix seconds. */
  from: searchNumber,
  to: searchNumber,
}

/** Search parameters of a page with a list, a keyword and a drawer. */
export const ListSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  /** `new`, or the id of what is open in the drawer. */
  edit: searchText,
})
export type ListSearch = z.output<typeof ListSearch>
