import { z } from 'zod'

/** What an outcome applies to: the whole channel, one model there, or one of its keys. */
export const FailureScope = z.enum(['channel', 'model', 'key'])
export type FailureScope = z.infer<typeof FailureScope>

/** What one worker learned about a channel and the others should know. Sent as JSON between the processes of a node. */
export const HealthNews = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('opened'),
    of: FailureScope,
    name: z.string().max(1000),
    pauseMs: z.number().positive(),
  }),
  z.object({ kind: z.literal('closed'), of: FailureScope, name: z.string().max(1000) }),
  /** The upstream said when the key can be used again. */
  z.object({ kind: z.literal('cooldown'), key: z.string().max(1000), seconds: z.number().positive() }),
])
export type HealthNews = z.infer<typeof HealthNews>
