import * as z from 'zod'

/** The token by its id: the key itself never appears in an address of the console. */
export const ChatSearch = z.object({ token: z.coerce.number().int().positive().optional().catch(undefined) })
