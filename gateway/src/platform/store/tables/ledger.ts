import type { Generated } from 'kysely'

/** A gateway process that may hold leases. */
interface WorkersTable {
  id: string
  /** The data folder it runs on: a restart there may end its leases at once. */
  node_id: string
  started_at: number
  heartbeat_at: number
}

/** Quota a worker took out of a balance to spend from memory. `amount` falls with each applied charge and may go below zero. */
interface LeasesTable {
  id: string
  worker_id: string
  /** `user`, `token` or `window`. */
  kind: string
  /** The user's or token's id, or that of the window's period. */
  ref_id: number
  amount: number
  created_at: number
  /** Another worker needs it back: idle parts return at once. */
  recalled: Generated<number>
}

/** What was credited to a balance, once for each id. */
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

/** Quota that was taken out of a balance for work that ends later; ends in one charge, or goes back. */
interface HoldsTable {
  /** The request id of its charge. */
  id: string
  user_id: number
  token_id: number
  is_token_limited: number
  amount: number
  created_at: number
  /** The subscription that pays instead of the wallet; 0: none. */
  subscription_id: Generated<number>
  /** What it took from periods of windows, as JSON; empty: nothing. */
  windows: Generated<string>
}

/** Where quota is, and what moved it. */
export interface LedgerTables {
  workers: WorkersTable
  leases: LeasesTable
  credits: CreditsTable
  charges: ChargesTable
  holds: HoldsTable
}
