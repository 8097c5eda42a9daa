import * as z from 'zod'

/** The token whose key is used, by its id: the key itself never stands in an address of the console. */
export const ChatSearch = z.object({ token: z.coerce.number().int().positive().optional().catch(undefined) })
