import type { Generated } from 'kysely'

/** What other workers must learn of: `catalog`, or a user or token that changed. */
interface ChangesTable {
  /** Assigned under a lock, so that a reader never sees a later one first. */
  seq: number
  topic: string
  ref_id: number
  created_at: number
}

/** Queued mails, and for some days their outcome: see `mail/send-mails`. */
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
  /** After this it is not sent any more. */
  expires_at: number
  /** When it is tried next; null: never. */
  due_at: number | null
  sent_at: number | null
}

/** Queued webhooks, and for some days their outcome: see `notices/deliver-webhooks`. */
interface WebhookDeliveriesTable {
  /** Sent to the receiver, the same at each attempt. */
  id: string
  user_id: number
  type: string
  url: string
  body: string
  attempts: Generated<number>
  created_at: number
  /** After this it is not delivered any more. */
  expires_at: number
  /** When it is tried next; null: never. */
  due_at: number | null
  delivered_at: number | null
  /** The last attempt: when it was, its HTTP status (null: no response), its time, the start of the response, what failed. */
  attempted_at: number | null
  status: number | null
  duration_ms: number | null
  response: Generated<string>
  failure: Generated<string>
}

/** Users who were notified of a low balance: see `notices/watch-balances`. */
interface BalanceNoticesTable {
  user_id: number
  notified_at: number
  /** What the user had used by then; null: the threshold has changed since. */
  used_quota: number | null
}

/** What operators are notified of: see `events/report-event`. */
interface OperatorEventsTable {
  kind: string
  subject: string
  /** JSON. */
  facts: string
  /** Since the last notification. */
  count: number
  first_at: number
  last_at: number
  /** When operators are notified; null: they were. */
  due_at: number | null
  notified_at: number | null
}

/** Console calls that named a key: see `http/once-per-key`. */
interface KeyedActsTable {
  /** A hash of user, route and key. */
  id_hash: string
  input_hash: string
  /** The call that acted. */
  request_id: string
  /** JSON; empty until the act is done. */
  answer_sealed: Generated<string>
  /** Whether its changes are in the database; empty: not known, of an earlier release. */
  progress: Generated<'' | 'open' | 'done'>
  created_at: number
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

/** The gateway's notes on its own work: see `site-notes`. */
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

/** Channels whose gateways publish prices, and the outcome of reading each source. */
interface PriceSourcesTable {
  /** `litellm`, `models.dev`, or `channel:` and its id. */
  name: string
  /** 0: a public list. */
  channel_id: number
  used_for: 'cost' | 'sale'
  /** The group that the upstream assigned to us. */
  upstream_group: string
  last_run_at: number | null
  last_success_at: number | null
  /** Why the last reading failed; empty: it did not. */
  failure: Generated<string>
  /** HTTP status of the last response, where that is the failure. */
  status: number | null
  models: Generated<number>
}

/** Differences between the prices of sources and ours, a field per row: see `price-sync`. */
export interface PriceProposalsTable {
  id: Generated<number>
  /** `lists`, or `channel:` and its id. */
  source: string
  /** 0: the sale price; otherwise the cost of the model at this channel. */
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
  /** Empty: none. */
  decided_by: Generated<string>
}

/** What `tollgate apply` has made: see `site-file/applied-objects`. */
interface AppliedObjectsTable {
  /** `option`, `channel`, `price` or `plan`. */
  kind: string
  /** The id of a channel or plan, the key of an option, the model of a price. */
  ref: string
  /** When the channel or plan was created; 0 for an option or a price. */
  created_at: number
}

/** What the gateway needs to run: announcements, mail queue, limits, locks. */
export interface OperationTables {
  changes: ChangesTable
  mails: MailsTable
  webhook_deliveries: WebhookDeliveriesTable
  balance_notices: BalanceNoticesTable
  operator_events: OperatorEventsTable
  keyed_acts: KeyedActsTable
  limit_counts: LimitCountsTable
  counters: CountersTable
  locks: LocksTable
  setups: SetupsTable
  site_notes: SiteNotesTable
  secret_probes: SecretProbesTable
  price_sources: PriceSourcesTable
  price_proposals: PriceProposalsTable
  applied_objects: AppliedObjectsTable
}
