import * as z from 'zod'

/** What the address of the page holds. */
export const DashboardSearch = z.object({ days: z.number().int().optional().catch(undefined) })
