/** The header that names the user a cookie is meant for; the two others are accepted for existing scripts. */
export const userIdHeader = 'Tollgate-User'
export const userIdHeaderAliases = ['New-Api-User', 'Veloera-User'] as const

/** The id of the user as whom an administrator asks to see what a route with `isViewable` answers. */
export const viewAsHeader = 'Tollgate-View-As'
export const requestIdHeader = 'X-Request-Id'

/** The limit of each answer's tokens, where the gateway set one because the balance pays for no more. */
export const maxTokensHeader = 'Tollgate-Max-Tokens'
