import { pageSizes } from '@tollgate/contract'
import * as z from 'zod'

/** The part of an address that every list has. Nonsense counts as absent; what is absent is the default. */
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

/** A text in an address; a bare number there is a text too. */
export const searchText = z
  .union([z.string(), z.number()])
  .transform((value) => String(value) || undefined)
  .optional()
  .catch(undefined)

/** A text in a link that was made elsewhere, to the letter. */
export const exactText = z
  .unknown()
  .transform((value) => (value === undefined || typeof value === 'string' ? value : JSON.stringify(value)))
  .optional()

/** A whole number in an address. */
export const searchNumber = z.number().int().optional().catch(undefined)

/** Ranges that end now. */
export const quickRanges = ['day', 'week', 'month', 'all'] as const
export type QuickRange = (typeof quickRanges)[number]

/** The times that a list is narrowed down to: everything, where neither a quick range nor an end of another is given. */
export const rangeSearch = {
  range: z.enum(quickRanges).optional().catch(undefined),
  /** Unix seconds. */
  from: searchNumber,
  to: searchNumber,
}

/** What the address of a page holds that lists things, finds them by a word and edits them in a drawer. */
export const ListSearch = z.object({
  ...pageSearch,
  keyword: searchText,
  /** `new`, or the id of what is open in the drawer. */
  edit: searchText,
})
export type ListSearch = z.output<typeof ListSearch>
