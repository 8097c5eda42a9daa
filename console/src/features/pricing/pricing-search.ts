import * as z from 'zod'

/** What the address of the page holds. */
export const PricingSearch = z.object({ keyword: z.string().optional().catch(undefined) })
