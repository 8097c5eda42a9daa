import * as z from 'zod'

// Written here: the address is read before the page is loaded.
export const meTabs = ['overview', 'sign-in', 'security', 'notification', 'tokens', 'preferences'] as const
export type MeTab = (typeof meTabs)[number]

/** What the address of the page holds. */
export const MeSearch = z.object({ tab: z.enum(meTabs).optional().catch(undefined) })
