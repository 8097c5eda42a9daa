/** Roles by rank: a user may touch only users of a lower one; the super admin may touch all. */
export const role = { guest: 0, user: 1, admin: 10, root: 100 } as const
export type Role = (typeof role)[keyof typeof role]

/** Characters of a new password. */
export const passwordLength = { min: 8, max: 64 } as const

export const userStatus = { enabled: 1, disabled: 2 } as const
export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export const channelStatus = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

/** Whether the calls of a key use the response cache; `group`: as its group says. */
export const responseCacheChoices = ['group', 'on', 'off'] as const
export type ResponseCacheChoice = (typeof responseCacheChoices)[number]

export const logType = { topUp: 1, consumption: 2, admin: 3, system: 4, checkIn: 5, error: 6 } as const
export type LogType = (typeof logType)[keyof typeof logType]

/** Identity providers that a browser is sent to and comes back from. */
export const redirectProviders = ['github', 'oidc', 'linuxdo'] as const
export type RedirectProvider = (typeof redirectProviders)[number]
