import type { Generated, GeneratedAlways, Selectable } from 'kysely'

/*
 * One description for both databases. Times are unix seconds unless the name says otherwise, flags are 0 or 1,
 * money is quota (integers below 2^53), JSON is text. `…_sealed` is encrypted at rest, `…_hash` is a SHA-256.
 */

export interface UsersTable {
  id: Generated<number>
  username: string
  /** The case-folded name; unique also among deleted users, so that a name is never taken over. */
  username_key: string
  password_hash: string
  display_name: string
  role: number
  /** What a super admin said the account may do, separated by commas; null: what its role does. */
  grants: Generated<string | null>
  status: number
  email: string | null
  access_token_hash: string | null
  /** What is free to spend: not leased to a worker. Only the ledger writes it. */
  quota: Generated<number>
  used_quota: Generated<number>
  request_count: Generated<number>
  group: Generated<string>
  aff_code: string
  aff_count: Generated<number>
  aff_quota: Generated<number>
  aff_history_quota: Generated<number>
  inviter_id: Generated<number>
  setting: Generated<string>
  created_at: number
  deleted_at: number | null
  /** User name, mail address and display name with their case folded, kept by the database. */
  search_text: GeneratedAlways<string>
}

interface SessionsTable {
  id_hash: string
  user_id: number
  created_at: number
  last_seen_at: number
  expires_at: number
  ip: string
  user_agent: string
}

/** Devices that an account was signed in to from. */
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
  /** By which the authenticator knows the user: random bytes, the same for all passkeys of one. */
  user_handle: string
  name: string
  /** COSE, base64url. */
  public_key: string
  /** Uses that the authenticator counted; 0 where it does not count. */
  counter: number
  /** Separated by commas. */
  transports: string
  aaguid: string
  is_backed_up: number
  created_at: number
  last_used_at: number | null
}

/** What is valid once: see `accounts/flows`. */
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

/** Who was invited by whom: see `accounts/invitations`. */
interface InvitationsTable {
  invitee_id: number
  inviter_id: number
  /** From where the invitee registered: what shares a limit. */
  address: string
  /** Of the device's cookie, or empty. */
  device_hash: string
  /** What it brings the two, as promised at registration. */
  inviter_quota: number
  invitee_quota: number
  /** See `InvitationState`. */
  state: string
  created_at: number
  /** The site's day on which it brought something; else empty. */
  rewarded_on: Generated<string>
}

/** Access tokens of the console API that have a name: see `accounts/access-tokens`. */
interface AccessTokensTable {
  id: Generated<number>
  user_id: number
  token_hash: string
  name: string
  /** Grants, separated by commas; null: all that the owner has. */
  scopes: string | null
  created_at: number
  /** Null: never. */
  expires_at: number | null
  last_used_at: Generated<number>
}

/** Mails that wait to be sent, and for some days what became of them: see `mail/send-mails`. */
interface MailsTable {
  id: string
  kind: string
  recipient: string
  language: string
  /** JSON; empty once nothing more is done. */
  params: string
  attempts: Generated<number>
  /** Why the last attempt failed: a stored phrase. */
  failure: Generated<string>
  created_at: number
  /** After this nobody waits for it any more. */
  expires_at: number
  /** When it is tried next; null: never. */
  due_at: number | null
  sent_at: number | null
}

/** Events counted in windows, for limits that all workers share. */
interface LimitCountsTable {
  key: string
  count: number
  ends_at: number
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
  /** -1 never expires. */
  expired_time: Generated<number>
  /** What is free to spend: not leased to a worker. Only the ledger writes it. */
  remain_quota: Generated<number>
  used_quota: Generated<number>
  unlimited_quota: Generated<number>
  model_limits_enabled: Generated<number>
  /** Comma separated. */
  model_limits: Generated<string>
  /** One address or CIDR range a line. */
  allow_ips: Generated<string>
  group: Generated<string>
  rate_limit_enabled: Generated<number>
  rate_limit_period: Generated<number>
  rate_limit_count: Generated<number>
  rate_limit_success: Generated<number>
  deleted_at: number | null
  /** The key before the last rotation, which works until `previous_key_until`. */
  previous_key_hash: Generated<string | null>
  previous_key_until: Generated<number>
}

export interface ChannelsTable {
  id: Generated<number>
  type: number
  name: string
  key_sealed: string
  /** JSON: fingerprint of a key -> {status, reason, time}; a key without an entry is enabled. */
  key_states: Generated<string>
  status: Generated<number>
  openai_organization: Generated<string>
  base_url: Generated<string>
  other: Generated<string>
  /** Comma separated, as on the wire. */
  models: Generated<string>
  /** Comma separated, as on the wire. */
  group: Generated<string>
  model_mapping: Generated<string>
  status_code_mapping: Generated<string>
  model_prefix: Generated<string>
  setting: Generated<string>
  param_override: Generated<string>
  system_prompt: Generated<string>
  test_model: Generated<string>
  /** 0: no ceiling. */
  max_input_tokens: Generated<number>
  priority: Generated<number>
  weight: Generated<number>
  tag: string | null
  auto_ban: Generated<number>
  /** JSON {status_reason, status_time}. */
  other_info: Generated<string>
  /** Milliseconds of the last test; 0 untested. */
  response_time: Generated<number>
  test_time: Generated<number>
  /** US dollars, as the vendor reports it. */
  balance: Generated<number>
  balance_updated_time: Generated<number>
  used_quota: Generated<number>
  created_time: number
}

/** Which channel serves which model for which group. Derived from channels; `fix` rebuilds it. */
interface AbilitiesTable {
  group: string
  /** As a caller names it, with the channel's prefix. */
  model: string
  channel_id: number
}

interface OptionsTable {
  key: string
  /** Secrets are sealed. */
  value: string
}

interface LogsTable {
  id: Generated<number>
  request_id: string
  created_at: number
  type: number
  user_id: number
  username: string
  token_id: number
  token_name: string
  model_name: string
  group: string
  channel_id: number
  channel_name: string
  is_stream: number
  /** Seconds. */
  use_time: number
  prompt_tokens: number
  completion_tokens: number
  quota: number
  content: string
  client_ip: string
  /** JSON with the keys of the specification. */
  other: string
}

/** What was used, added up. Errors are counted in `errors` alone. */
interface Figures {
  count: number
  errors: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  /** Sum of seconds. */
  use_time: number
}

/** Consumption by the hour; `hour` is its first second. */
interface RollupsTable extends Figures {
  hour: number
  user_id: number
  token_name: string
  model_name: string
  channel_id: number
  group: string
}

/** The hourly sums added up by one column: see `usage-sums`. */
interface UsageSumsTable extends Figures {
  /** Which column. */
  dimension: number
  /** Seconds: of an hour or of a day in UTC; see `usage-sums/long-sums` for longer times. */
  span: number
  start: number
  /** The value of the column; ids as text. */
  key: string
}

/** The hourly sums added up by one column and another: see `usage-sums/pairs`. */
interface UsagePairsTable extends Figures {
  /** Which columns. */
  pair: number
  /** Seconds: of a day in UTC, of a third of one, or of a week. */
  span: number
  /** The value of the first column; ids as text. */
  one: string
  start: number
  /** The value of the second column. */
  other: string
}

/** Measures of calls that are not in the packs yet. */
interface MeasureBatchesTable {
  id: Generated<number>
  /** The first second of the latest hour in it. */
  hour: number
  /** See `usage-sums/measures/batch`. */
  records: Uint8Array
}

/** What users used within one value of a column, see `usage-sums/user-packs`, and measures, see `usage-sums/measures/packs`. */
interface UsagePacksTable {
  /** Which column. */
  pack: number
  /** Its value; ids as text. */
  value: string
  /** In UTC, its first second. */
  day: number
  /** See `usage-sums/user-records` and `usage-sums/measures/packs`. */
  records: Uint8Array
}

/** Hours that begin before `until` (seconds) are among the sums of a column, of a pair of them, those of longer times, or packs. */
interface UsageFoldsTable {
  dimension: number
  until: number
}

/** A gateway process that may hold leases. */
interface WorkersTable {
  id: string
  /** The data folder it runs on: a restart there may end its leases at once. */
  node_id: string
  started_at: number
  heartbeat_at: number
  /** To which sums it adds late charges, see `usage-sums/folds`; workers of the earliest release say nothing. */
  adds_pairs: Generated<number>
}

/** Quota a worker took out of a balance to spend from memory. `amount` falls with each applied charge and may go below zero. */
interface LeasesTable {
  id: string
  worker_id: string
  /** `user` or `token`. */
  kind: string
  ref_id: number
  amount: number
  created_at: number
  /** Another worker needs it back: idle parts return at once. */
  recalled: Generated<number>
}

/** What came into a balance, once for each id. */
interface CreditsTable {
  /** Natural and unique: `redeem:<code>:<user>`, `admin:<request id>`, … */
  id: string
  user_id: number
  kind: string
  amount: number
  created_at: number
  detail: string
}

/** What was charged, once for each request id. */
interface ChargesTable {
  request_id: string
  user_id: number
  token_id: number
  channel_id: number
  quota: number
  created_at: number
}

/** What other workers must hear of: `catalog`, or a user or token that changed. */
interface ChangesTable {
  /** Given out under a lock, so that a reader never sees a later one first. */
  seq: number
  topic: string
  ref_id: number
  created_at: number
}

/** What was said in a call, where the site logs it. Written after the call's log row, or never. */
interface LogTextsTable {
  request_id: string
  /** Of the log row. */
  created_at: number
  context: string
  input: string
  output: string
}

interface CountersTable {
  name: string
  value: number
}

interface LocksTable {
  name: string
  holder: string
  expires_at: number
}

interface SetupsTable {
  id: number
  version: string
  initialized_at: number
}

/** Who did what; the database refuses to change or remove a row. See `contract/src/routes/audit`. */
export interface AuditLogTable {
  id: Generated<number>
  created_at: number
  request_id: string
  user_id: number
  username: string
  role: number
  means: string
  ip: string
  user_agent: string
  action: string
  method: string
  path: string
  target: string
  target_id: string
  target_name: string
  outcome: string
  /** JSON, or empty. */
  before: string
  after: string
}

interface SecretProbesTable {
  id: number
  sealed: string
}

export interface Tables {
  audit_log: AuditLogTable
  users: UsersTable
  sessions: SessionsTable
  known_devices: KnownDevicesTable
  limit_counts: LimitCountsTable
  flows: FlowsTable
  identities: IdentitiesTable
  invitations: InvitationsTable
  access_tokens: AccessTokensTable
  totp_factors: TotpFactorsTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  mails: MailsTable
  tokens: TokensTable
  channels: ChannelsTable
  abilities: AbilitiesTable
  options: OptionsTable
  logs: LogsTable
  rollups: RollupsTable
  usage_sums: UsageSumsTable
  usage_pairs: UsagePairsTable
  usage_packs: UsagePacksTable
  usage_folds: UsageFoldsTable
  measure_batches: MeasureBatchesTable
  workers: WorkersTable
  leases: LeasesTable
  credits: CreditsTable
  charges: ChargesTable
  changes: ChangesTable
  log_texts: LogTextsTable
  counters: CountersTable
  locks: LocksTable
  setups: SetupsTable
  secret_probes: SecretProbesTable
}

export type UserRow = Selectable<UsersTable>
export type AccessTokenRow = Selectable<AccessTokensTable>
export type TokenRow = Selectable<TokensTable>
export type ChannelRow = Selectable<ChannelsTable>
export type AuditRow = Selectable<AuditLogTable>
export type LogRow = Selectable<LogsTable>
