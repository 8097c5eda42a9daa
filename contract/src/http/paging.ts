import * as z from 'zod'

import { flagText, wholeNumberText } from '../pricing/units'

export const pageSizes = [10, 20, 50, 100] as const
export const defaultPageSize = 10
export const maxPageSize = 100

/** Beyond any list, and its offset is still exact. */
const maxPage = 1e9

/** Page and size as they arrive in a query; `size` is the legacy name on the token list. */
export const PageQuery = z.object({
  p: wholeNumberText.optional(),
  page_size: wholeNumberText.optional(),
  size: wholeNumberText.optional(),
})

/** Order of a list: by one of these columns; otherwise the newest come first, after exact matches of a search. */
export const sortQuery = <const Sorts extends readonly string[]>(sorts: Sorts) => ({
  sort: z.enum(sorts).optional(),
  descending: flagText.optional(),
})

export interface Page {
  /** The page number as the caller counts: from `firstPage`. */
  page: number
  size: number
  offset: number
}

/**
 * Clamps a page query. Token, redemption, mj and task lists count pages from 0; all others from 1, where 0 means 1. Sizes are clamped to
 * 1..100.
 */
export function pageOf(query: z.output<typeof PageQuery>, firstPage: 0 | 1 = 1): Page {
  const requestedSize = query.page_size ?? query.size ?? defaultPageSize
  const size = Math.min(Math.max(requestedSize || defaultPageSize, 1), maxPageSize)
  const page = Math.min(Math.max(query.p ?? firstPage, firstPage), maxPage)
  return { page, size, offset: (page - firstPage) * size }
}

/** The most items that a search without a page returns. */
export const maxResults = 1000

const whole = z.number().int()

/** The result of every list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), page: whole, page_size: whole, total: whole })

/** The result of a search: a page where the query has `p`, otherwise an array of at most `maxResults` items. */
export const searchResultOf = <Item extends z.ZodType>(item: Item) =>
  z.union([listOf(item), z.array(item).max(maxResults)])

interface List<Item> {
  readonly items: Item[]
  readonly page: number
  readonly page_size: number
  readonly total: number
}

/** Returns a search's result as a page, whichever of the two forms it has. */
export const pageIn = <Item>(found: List<Item> | Item[]): List<Item> =>
  Array.isArray(found) ? { items: found, page: 0, page_size: found.length, total: found.length } : found

/** Returns what a search reads: the page that the query requests, or everything up to `maxResults` items. */
export const searchPageOf = (query: z.output<typeof PageQuery>, firstPage: 0 | 1 = 1): Page =>
  query.p === undefined ? { page: firstPage, size: maxResults, offset: 0 } : pageOf(query, firstPage)
