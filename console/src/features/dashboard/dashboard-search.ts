import type { dashboardRoutes } from '@tollgate/contract'
import * as z from 'zod'

// Repeated here: the address is parsed before the page and its routes are loaded.
const steps = ['hour', 'day', 'week'] as const satisfies readonly dashboardRoutes.Granularity[]
const groupings = ['model', 'token', 'group', 'channel', 'user'] as const satisfies readonly dashboardRoutes.Grouping[]
export const ranges = [1, 7, 30, 90] as const
export const metrics = ['quota', 'count', 'tokens'] as const

/** Search parameters of the page. */
export const DashboardSearch = z.object({
  /** Days back from now. */
  days: z.literal(ranges).optional().catch(undefined),
  /** A custom range instead, in unix seconds. */
  from: z.number().int().positive().optional().catch(undefined),
  to: z.number().int().positive().optional().catch(undefined),
  step: z.enum(steps).optional().catch(undefined),
  by: z.enum(groupings).optional().catch(undefined),
  metric: z.enum(metrics).optional().catch(undefined),
  /** Administrators see all users unless they choose their own figures. */
  mine: z.boolean().optional().catch(undefined),
})
export type DashboardSearch = z.output<typeof DashboardSearch>
