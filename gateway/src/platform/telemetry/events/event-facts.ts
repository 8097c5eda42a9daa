import { z } from 'zod'

/** The facts of an event: texts, or stored phrases, which are worded for their reader. */
export const EventFacts = z.object({
  /** The name of the channel, job, node, order or user. */
  name: z.string(),
  reason: z.string().optional(),
  /** Spending, formatted: what was spent, and what is usual. */
  spent: z.string().optional(),
  usual: z.string().optional(),
  /** A number with its unit: free space, a balance, a count. */
  amount: z.string().optional(),
  limit: z.string().optional(),
})
export type EventFacts = z.output<typeof EventFacts>
