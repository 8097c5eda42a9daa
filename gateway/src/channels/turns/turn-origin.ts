import { isDialectId } from '@tollgate/dialects'
import * as z from 'zod'

/** The account that answered, and the dialect it was asked in: no other account reads its encrypted reasoning. */
export const TurnOrigin = z.object({
  channelId: z.int(),
  keyFingerprint: z.string(),
  dialect: z.string().refine(isDialectId),
})
export interface TurnOrigin extends Readonly<z.output<typeof TurnOrigin>> {}
