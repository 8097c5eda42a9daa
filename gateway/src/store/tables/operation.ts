import type { Generated } from 'kysely'

/** What other workers must hear of: `catalog`, or a user or token that changed. */
interface ChangesTable {
  /** Given out under a lock, so that a reader never sees a later one first. */
  seq: number
  topic: string
  ref_id: number
  created_at: number
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

/** Webhooks that wait, and for some days what became of them: see `notices/deliver-webhooks`. */
interface WebhookDeliveriesTable {
  /** Told to the receiver, the same at each attempt. */
  id: string
  user_id: number
  type: string
  url: string
  body: string
  attempts: Generated<number>
  created_at: number
  /** After this nobody waits for it any more. */
  expires_at: number
  /** When it is tried next; null: never. */
  due_at: number | null
  delivered_at: number | null
  /** Of the last attempt: when it was, its HTTP status (null: none came), its time, the start of what was answered, what failed. */
  attempted_at: number | null
  status: number | null
  duration_ms: number | null
  response: Generated<string>
  failure: Generated<string>
}

/** Users who were told of a low balance: see `notices/watch-balances`. */
interface BalanceNoticesTable {
  user_id: number
  notified_at: number
  /** What the user had used by then; null: the threshold is another since. */
  used_quota: number | null
}

/** Events counted in windows, for limits that all workers share. */
interface LimitCountsTable {
  key: string
  count: number
  ends_at: number
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

/** What the gateway remembers of its own work: see `site-notes`. */
interface SiteNotesTable {
  name: string
  /** JSON. */
  value: string
  updated_at: number
}

interface SetupsTable {
  id: number
  version: string
  initialized_at: number
}

interface SecretProbesTable {
  id: number
  sealed: string
}

/** Channels whose gateways tell prices, and what came of reading each source. */
interface PriceSourcesTable {
  /** `litellm`, `models.dev`, or `channel:` and its id. */
  name: string
  /** 0: a public list. */
  channel_id: number
  used_for: 'cost' | 'sale'
  /** The group that the upstream has us in. */
  upstream_group: string
  last_run_at: number | null
  last_success_at: number | null
  /** Why the last reading failed; empty: it did not. */
  failure: Generated<string>
  /** HTTP status of the last answer, where that is the failure. */
  status: number | null
  models: Generated<number>
}

/** What sources tell otherwise than is charged, a field a row: see `price-sync`. */
export interface PriceProposalsTable {
  id: Generated<number>
  /** `lists`, or `channel:` and its id. */
  source: string
  /** 0: the sale price; else what the model costs at this channel. */
  channel_id: number
  model: string
  field: string
  /** JSON; `null`: there is no price. */
  before: string
  after: string
  percent: number | null
  state: 'waiting' | 'applied' | 'rejected' | 'refused'
  reason: string
  found_at: number
  decided_at: number | null
  /** Empty: nobody. */
  decided_by: Generated<string>
}

/** What the gateway needs to run: announcements, mails that wait, limits, locks. */
export interface OperationTables {
  changes: ChangesTable
  mails: MailsTable
  webhook_deliveries: WebhookDeliveriesTable
  balance_notices: BalanceNoticesTable
  limit_counts: LimitCountsTable
  counters: CountersTable
  locks: LocksTable
  setups: SetupsTable
  site_notes: SiteNotesTable
  secret_probes: SecretProbesTable
  price_sources: PriceSourcesTable
  price_proposals: PriceProposalsTable
}
