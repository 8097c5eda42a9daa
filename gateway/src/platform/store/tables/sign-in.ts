import type { Generated } from 'kysely'

interface SessionsTable {
  id_hash: string
  user_id: number
  created_at: number
  last_seen_at: number
  expires_at: number
  ip: string
  user_agent: string
}

/** Devices from which an account was signed in to. */
interface KnownDevicesTable {
  id_hash: string
  user_id: number
  created_at: number
  last_seen_at: number
}

/** The authenticator apps of users. */
interface TotpFactorsTable {
  user_id: number
  secret_sealed: string
  /** The latest time step whose code was used: none up to it is accepted again. */
  last_step: number
  created_at: number
}

interface RecoveryCodesTable {
  code_hash: string
  user_id: number
  created_at: number
  used_at: number | null
}

interface PasskeysTable {
  /** Base64url. */
  credential_id: string
  user_id: number
  /** By which the authenticator knows the user: random bytes, the same for all passkeys of a user. Empty: imported, and not used since. */
  user_handle: string
  name: string
  /** COSE, base64url. */
  public_key: string
  /** Uses that the authenticator counted; 0 where it does not count. */
  counter: number
  /** Comma-separated. */
  transports: string
  aaguid: string
  is_backed_up: number
  created_at: number
  last_used_at: number | null
}

/** One-time secrets: see `accounts/flows`. */
interface FlowsTable {
  /** Keyed, so that a short code cannot be recovered from it. */
  secret_hash: string
  purpose: string
  /** What it is for: a mail address, a user id, a provider. */
  subject: string
  /** The only browser that can use it; empty: any. */
  browser_hash: string
  /** JSON. */
  payload: string
  /** Guesses so far. */
  attempts: Generated<number>
  created_at: number
  expires_at: number
  used_at: number | null
}

/** The account of a user at an external provider. It stays with a closed account, so that it cannot be claimed again. */
interface IdentitiesTable {
  provider: string
  /** The id there, which the provider never reassigns. */
  subject: string
  user_id: number
  created_at: number
}

/** Who had the quota for new users: see `accounts/users/newcomers`. */
interface NewcomersTable {
  /** A provider, or `mail`. */
  kind: string
  name_hash: string
  created_at: number
}

/** Named access tokens of the console API: see `accounts/access-tokens`. */
export interface AccessTokensTable {
  id: Generated<number>
  user_id: number
  token_hash: string
  name: string
  /** Grants, comma-separated; null: all that the owner has. */
  scopes: string | null
  created_at: number
  /** Null: never. */
  expires_at: number | null
  last_used_at: Generated<number>
}

/** How accounts sign in, and where they are signed in. */
export interface SignInTables {
  sessions: SessionsTable
  known_devices: KnownDevicesTable
  totp_factors: TotpFactorsTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  flows: FlowsTable
  identities: IdentitiesTable
  newcomers: NewcomersTable
  access_tokens: AccessTokensTable
}
