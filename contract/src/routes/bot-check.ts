import * as z from 'zod'

/** The token of a solved Turnstile; required where the site has it enabled. */
export const BotCheckQuery = z.object({ turnstile: z.string().max(4096).optional() })
