/** The header that names the user a cookie is meant for; the two others are accepted for existing scripts. */
export const userIdHeader = 'Tollgate-User'
export const userIdHeaderAliases = ['New-Api-User', 'Veloera-User'] as const

/** The id of the user whose view an administrator requests, on routes with `isViewable`. */
export const viewAsHeader = 'Tollgate-View-As'
/** Names an act of a signed-in user: a repeated call with the same key gets the result of the first. */
export const idempotencyKeyHeader = 'Idempotency-Key'
/** `true` where an earlier call acted and this is its result. */
export const repeatedHeader = 'Idempotent-Replayed'
export const requestIdHeader = 'X-Request-Id'

/** The key of this site, from clients that send the login of their own account at a vendor where keys usually are. */
export const ownKeyHeader = 'Tollgate-Key'

/** The token limit of each choice, where the gateway set one because the balance does not pay for more. */
export const maxTokensHeader = 'Tollgate-Max-Tokens'

/** What the upstream could not be told of the request, as `dropped` in the log row names it. Absent where nothing was left out. */
export const droppedHeader = 'Tollgate-Dropped'

/** The model that serves a call, where it is another one than the call names, and why: one of `modelReasons`. */
export const servedModelHeader = 'Tollgate-Model'
export const modelReasonHeader = 'Tollgate-Model-Reason'
