/** A user as a model call needs it. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly rank: number
  /** Whether a key of the account may name the channel that serves a call. */
  readonly mayPinChannel: boolean
  readonly status: number
  readonly group: string
  readonly isDeleted: boolean
  /** The user's setting JSON, parsed. */
  readonly acceptsUnpricedModels: boolean
  readonly isIpLogged: boolean
}

/** An API key as a model call needs it. */
export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly status: number
  readonly group: string
  readonly expiresAt: number
  readonly isUnlimited: boolean
  /** Null: every model. */
  readonly models: ReadonlySet<string> | null
  /** Empty: every address. */
  readonly allowedIps: readonly string[]
  readonly rateLimit: { readonly periodSeconds: number; readonly count: number; readonly success: number } | null
  readonly account: Account
}
