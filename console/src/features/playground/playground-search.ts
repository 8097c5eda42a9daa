import * as z from 'zod'

/** What the address of the page holds. */
export const PlaygroundSearch = z.object({
  /** The model to start with. */
  model: z.string().optional().catch(undefined),
  /** A conversation waits in the session's storage. */
  draft: z.number().optional().catch(undefined),
})
