import * as z from 'zod'

import { wholeNumberText } from './units'

export const pageSizes = [10, 20, 50, 100] as const
export const defaultPageSize = 10
export const largestPageSize = 100

/** Beyond any list, and its offset is still exact. */
const largestPage = 1e9

/** Page and size as they arrive in a query; `size` is the historic name on the token list. */
export const PageQuery = z.object({
  p: wholeNumberText.optional(),
  page_size: wholeNumberText.optional(),
  size: wholeNumberText.optional(),
})

export interface Page {
  /** The page number as the caller counts: from `firstPage`. */
  page: number
  size: number
  offset: number
}

/**
 * Clamp a page query. Token, redemption, mj and task lists count pages from 0; all others from 1, where 0 means 1.
 * Sizes are clamped to 1..100.
 */
export function pageOf(query: z.output<typeof PageQuery>, firstPage: 0 | 1 = 1): Page {
  const asked = query.page_size ?? query.size ?? defaultPageSize
  const size = Math.min(Math.max(asked || defaultPageSize, 1), largestPageSize)
  const page = Math.min(Math.max(query.p ?? firstPage, firstPage), largestPage)
  return { page, size, offset: (page - firstPage) * size }
}

const whole = z.number().int()

/** The answer of every list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), page: whole, page_size: whole, total: whole })
