import type { TokenRow, UserRow } from '../store/tables'

/** A user as a model call needs it. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly role: number
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

/** Keys and users in memory, bounded; a change elsewhere drops the entry within a second. */
export interface AccountCache {
  /** The key with this SHA-256, or null. Answers at once when it is known. */
  byKeyHash(keyHash: string): ApiKey | null | Promise<ApiKey | null>
  byUserId(userId: number): Account | null | Promise<Account | null>
}

export type { TokenRow, UserRow }
