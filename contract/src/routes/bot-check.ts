import * as z from 'zod'

/** The token of a solved Turnstile; asked for where the site has it switched on. */
export const BotCheckQuery = z.object({ turnstile: z.string().max(4096).optional() })
