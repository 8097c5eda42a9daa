import type { ResponseCacheChoice } from '@tollgate/contract'
import type { Generated, GeneratedAlways } from 'kysely'

export interface UsersTable {
  id: Generated<number>
  username: string
  /** The case-folded name; unique also among deleted users, so that a name is never taken over. */
  username_key: string
  password_hash: string
  display_name: string
  role: number
  /** The rights a super admin gave the account, separated by commas; null: those of its role. */
  grants: Generated<string | null>
  status: number
  email: string | null
  access_token_hash: string | null
  /** Free quota: not leased to a worker. Only the ledger writes it. */
  quota: Generated<number>
  used_quota: Generated<number>
  request_count: Generated<number>
  group: Generated<string>
  aff_code: string
  aff_count: Generated<number>
  aff_quota: Generated<number>
  aff_history_quota: Generated<number>
  inviter_id: Generated<number>
  /** Had an account before, by the register of newcomers: gets nothing that is meant for new users. */
  is_returning: Generated<number>
  setting: Generated<string>
  /** Signs the user’s webhooks; empty: none. */
  webhook_secret_sealed: Generated<string>
  /** The user is notified of a balance below it; null: the site's threshold applies. */
  warned_below: number | null
  created_at: number
  deleted_at: number | null
  /** User name, mail address and display name, case-folded, maintained by the database. */
  search_text: GeneratedAlways<string>
}

export interface TokensTable {
  id: Generated<number>
  user_id: number
  key_hash: string
  key_sealed: string
  name: string
  status: Generated<number>
  created_time: number
  accessed_time: Generated<number>
  /** Address of the last call; empty when its user does not want addresses recorded. */
  last_ip: Generated<string>
  /** -1 never expires. */
  expired_time: Generated<number>
  /** Free quota: not leased to a worker. Only the ledger writes it. */
  remain_quota: Generated<number>
  used_quota: Generated<number>
  /** All that the ledger was told to add or take, so that `reconcile` can check the rest; null: unknown. */
  granted_quota: number | null
  /** It used quota without having any at some time. */
  was_unlimited: Generated<number>
  unlimited_quota: Generated<number>
  model_limits_enabled: Generated<number>
  /** Comma-separated. */
  model_limits: Generated<string>
  /** One address or CIDR range per line. */
  allow_ips: Generated<string>
  group: Generated<string>
  rate_limit_enabled: Generated<number>
  rate_limit_period: Generated<number>
  rate_limit_count: Generated<number>
  rate_limit_success: Generated<number>
  /** Whether its calls use the response cache. */
  response_cache: Generated<ResponseCacheChoice>
  deleted_at: number | null
  /** The key before the last rotation, which works until `previous_key_until`. */
  previous_key_hash: Generated<string | null>
  previous_key_until: Generated<number>
}

/** Who was invited by whom: see `accounts/invitations`. */
interface InvitationsTable {
  invitee_id: number
  inviter_id: number
  /** The network address from which the invitee registered, which shares a limit. */
  address: string
  /** Hash of the device's cookie, or empty. */
  device_hash: string
  /** The rewards of both, as promised at registration. */
  inviter_quota: number
  invitee_quota: number
  /** See `InvitationState`. */
  state: string
  created_at: number
  /** The site's day on which it was rewarded; otherwise empty. */
  rewarded_on: Generated<string>
}

/** Users and their keys, and who invited whom. */
export interface AccountTables {
  users: UsersTable
  tokens: TokensTable
  invitations: InvitationsTable
}
