import * as z from 'zod'

/** What the address of the page holds. */
export const PlaygroundSearch = z.object({
  /** The model to start with. */
  model: z.string().optional().catch(undefined),
})
