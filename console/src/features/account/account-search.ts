import * as z from 'zod'

// Repeated here: the address is parsed before the page is loaded.
export const meTabs = ['overview', 'sign-in', 'security', 'notification', 'tokens', 'preferences'] as const
export type MeTab = (typeof meTabs)[number]

/** Search parameters of the page. */
export const AccountSearch = z.object({ tab: z.enum(meTabs).optional().catch(undefined) })
